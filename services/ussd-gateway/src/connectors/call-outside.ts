import type { Dispatcher } from 'undici';

/** Result of a call. `unusable` is no usable response; its reason contains neither the address nor the request. */
export type Reply =
  | { readonly kind: 'reply'; readonly status: number; readonly text: string }
  | {
      readonly kind: 'unusable';
      readonly why: string;
      /** False if the request certainly did not reach the server. */
      readonly mayHaveArrived: boolean;
    };

export interface OutsideCall {
  readonly method: 'POST' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly dispatcher: Dispatcher;
  /** Of queries: `deps/back-end-limit.ts`; of webhook acts and messages: their `timeoutMs`. */
  readonly limitMs: number;
  /** Uses a new connection: a reused one may be closed at the moment of use, and then the delivery is uncertain. */
  readonly reset?: boolean;
}

/** A longer answer is not read: it would not fit on a phone. */
const limitBytes = 16_384;

/** Failures before the connection is open. */
const notConnected: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_FORBIDDEN_ADDRESS',
];

/** Calls an external address once. Never rejects. */
export async function callOutside(url: string, { limitMs, ...call }: OutsideCall): Promise<Reply> {
  try {
    // Loaded with the first call: most deployments make none.
    const { request } = await import('undici');
    const { statusCode: status, body } = await request(url, { ...call, signal: AbortSignal.timeout(limitMs) });
    const parts: Buffer[] = [];
    let bytes = 0;
    // Leaving the loop closes the connection: the rest of a long body is not read.
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

/** Code of a failure, such as `ECONNREFUSED`, or the name of the error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function unusable(why: string, mayHaveArrived = true): Reply {
  return { kind: 'unusable', why, mayHaveArrived };
}
