import type { Outbound } from '@mlango/outbound/outbound';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface EndpointLimits {
  /** The largest reply that is read. */
  readonly replyBytes: number;
  /** The most time that the end of a session is given. */
  readonly goodbyeMs: number;
}

/** A reply is longer than what is read. */
export class ReplyTooLargeError extends Error {
  override readonly name = 'ReplyTooLargeError';
}

/** Nothing was asked of the server: there was no connection, or it led elsewhere. */
export class NotAskedError extends Error {
  override readonly name = 'NotAskedError';
}

/** Failures before a connection is there. */
const notConnected: readonly unknown[] = [
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
  'ERR_FORBIDDEN_ADDRESS',
];

/**
 * What a connection to one server may ask of the network: that URL and no other, no address that is not to be called, no
 * redirect, no reply without an end.
 * The stream on which a server may speak unasked is not opened: nobody would listen between turns.
 */
export function endpointFetch(
  endpoint: string,
  { dispatcher }: Pick<Outbound, 'dispatcher'>,
  { replyBytes, goodbyeMs }: EndpointLimits,
  onTooLarge: () => void,
): Fetch {
  const { href } = new URL(endpoint);
  return async (url, init = {}) => {
    if (new URL(url).href !== href) throw new Error('a server was about to be asked at another address');
    if (init.method === 'GET') return new Response(null, { status: 405 });
    const limits = init.method === 'DELETE' ? [AbortSignal.timeout(goodbyeMs)] : [];
    const signals = init.signal === undefined || init.signal === null ? limits : [init.signal, ...limits];
    const { fetch } = await import('undici');
    // The fetch of Node itself cannot be given a way out that is made elsewhere.
    const response = await fetch(href, {
      method: init.method ?? 'POST',
      headers: [...new Headers(init.headers)],
      ...(typeof init.body === 'string' ? { body: init.body } : {}),
      dispatcher,
      redirect: 'manual',
      signal: AbortSignal.any(signals),
    }).catch((error: unknown) => {
      const cause = error instanceof Error ? error.cause : undefined;
      const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
      throw notConnected.includes(code) ? new NotAskedError('there is no connection', { cause }) : error;
    });
    const { status, statusText, body } = response;
    if (status >= 300 && status < 400) {
      await body?.cancel();
      throw new NotAskedError('a redirect is not followed');
    }
    const head = { status, statusText, headers: [...response.headers] };
    if (body === null) return new Response(null, head);
    if (!response.ok) {
      // The words of a refusal would go to logs, and may repeat what was sent.
      await body.cancel();
      return new Response(null, head);
    }
    return new Response(body.pipeThrough(limited(replyBytes, onTooLarge)), head);
  };
}

function limited(limitBytes: number, onTooLarge: () => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= limitBytes) {
        controller.enqueue(chunk);
        return;
      }
      onTooLarge();
      controller.error(new ReplyTooLargeError(`more than ${limitBytes} bytes`));
    },
  });
}
