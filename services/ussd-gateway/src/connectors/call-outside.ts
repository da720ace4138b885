import type { Dispatcher } from 'undici';

/** What came of a call; `unusable` is whatever has no answer, and why, in words that hold neither the address nor what was sent. */
export type Reply =
  | { readonly kind: 'reply'; readonly status: number; readonly text: string }
  | {
      readonly kind: 'unusable';
      readonly why: string /** False where it surely got nowhere. */;
      readonly mayHaveArrived: boolean;
    };

export interface OutsideCall {
  readonly method: 'POST' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly dispatcher: Dispatcher;
  readonly limitMs: number;
  /** On a connection of its own: one that was kept may be closed in the moment it is used, and then nobody knows whether the call arrived. */
  readonly reset?: boolean;
}

/** An answer that is longer is not read: no phone shows more. */
const limitBytes = 16_384;

/** Failures before a connection is there. */
const notConnected: readonly unknown[] = [
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
  'ERR_FORBIDDEN_ADDRESS',
];

/** Calls an address of somebody else, once. Never rejects. */
export async function callOutside(url: string, { limitMs, ...call }: OutsideCall): Promise<Reply> {
  try {
    // Loaded with the first call: most deployments make none.
    const { request } = await import('undici');
    const { statusCode: status, body } = await request(url, { ...call, signal: AbortSignal.timeout(limitMs) });
    const parts: Buffer[] = [];
    let bytes = 0;
    // Leaving the loop closes the connection: what is too long is not read to its end.
    for await (const part of body as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > limitBytes) return unusable(`answers with more than ${limitBytes} bytes`);
      parts.push(part);
    }
    return { kind: 'reply', status, text: Buffer.concat(parts).toString('utf8') };
  } catch (error) {
    const reason = reasonOf(error);
    return unusable(`cannot be reached: ${reason}`, !notConnected.includes(reason));
  }
}

/** Why a call failed, as a code such as `ECONNREFUSED` or the name of the error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function unusable(why: string, mayHaveArrived = true): Reply {
  return { kind: 'unusable', why, mayHaveArrived };
}
