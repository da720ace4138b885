/** One request of the gateway of a telecom network, as it goes over the wire. */
export interface HopRequest {
  readonly sessionId: string;
  readonly serviceCode: string;
  readonly phoneNumber: string;
  /** Everything typed in this session, separated by `*`; empty on the dial. */
  readonly text: string;
}

export interface HopReply {
  readonly status: number;
  /** The whole body; without an answer, why there was none. */
  readonly body: string;
  readonly tookMs: number;
  readonly requestBytes: number;
  readonly replyBytes: number;
}

/** What a phone shows of a reply. */
export type Screen =
  | { readonly kind: 'CON' | 'END'; readonly message: string }
  | { readonly kind: 'lost'; readonly message: string };

/** A network gives up on a gateway that takes longer. */
const NETWORK_TIMEOUT_MS = 10_000;

/** Where this server passes hops on, as the aggregator of the page. */
export const hopPath = '/ussd/api/ussd';

/** Sends a hop. Never rejects: what goes wrong is a reply with status 0. */
export async function sendHop(request: HopRequest, signal?: AbortSignal): Promise<HopReply> {
  const body = JSON.stringify(request);
  const startedMs = performance.now();
  const timeout = AbortSignal.timeout(NETWORK_TIMEOUT_MS);
  const reply = (status: number, text: string): HopReply => ({
    ...{ status, body: text, tookMs: Math.max(1, Math.round(performance.now() - startedMs)) },
    ...{ requestBytes: bytesOf(body), replyBytes: status === 0 ? 0 : bytesOf(text) },
  });
  try {
    const response = await fetch(hopPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    return reply(response.status, await response.text());
  } catch {
    return reply(0, timeout.aborted ? 'No answer within 10 seconds.' : 'No connection.');
  }
}

/** The screen in a reply; a network has words of its own for one that is none. */
export function screenOf({ status, body }: Pick<HopReply, 'status' | 'body'>): Screen {
  const [, kind, message] = /^(CON|END) ([\s\S]*)$/.exec(body) ?? [];
  if (status === 200 && kind !== undefined && message !== undefined) return { kind: kind as 'CON' | 'END', message };
  if (status === 429 && message !== undefined) return { kind: 'END', message };
  return { kind: 'lost', message: 'Connection problem or invalid MMI code.' };
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
