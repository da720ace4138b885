import type { WireReply, WireRequest } from './aggregators.js';

/** A reply with its size and duration. */
export interface HopReply extends WireReply {
  readonly tookMs: number;
  readonly requestBytes: number;
  readonly replyBytes: number;
}

/** The network's timeout for a gateway. */
const networkTimeoutMs = 10_000;

/** Sends a request to a gateway at `base`. Never rejects: failures are replies with status 0. */
export async function send(base: string, { method, path, type, body }: WireRequest): Promise<HopReply> {
  const startedMs = performance.now();
  const timeout = AbortSignal.timeout(networkTimeoutMs);
  const reply = (status: number, text: string, freeflow?: string | null): HopReply => ({
    status,
    body: text,
    freeflow: freeflow ?? undefined,
    tookMs: Math.max(1, Math.round(performance.now() - startedMs)),
    requestBytes: bytesOf(body ?? ''),
    replyBytes: status === 0 ? 0 : bytesOf(text),
  });
  try {
    const response = await fetch(`${base}${path}`, {
      method,
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
      ...(body === undefined ? {} : { body }),
      signal: timeout,
    });
    return reply(response.status, await response.text(), response.headers.get('freeflow'));
  } catch {
    return reply(0, timeout.aborted ? 'No answer within 10 seconds.' : 'No connection.');
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
