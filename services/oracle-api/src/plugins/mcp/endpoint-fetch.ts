import type { Outbound } from '@mlango/outbound/outbound';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface EndpointLimits {
  /** Size limit of a reply, in bytes. */
  readonly replyBytes: number;
  /** Time limit for the end of a session. */
  readonly goodbyeMs: number;
}

/** A reply exceeds the size limit. */
export class ReplyTooLargeError extends Error {
  override readonly name = 'ReplyTooLargeError';
}

/** The request never reached the server: there was no connection, or the server redirected. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

/** Failures before a connection exists. */
const notConnected: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_FORBIDDEN_ADDRESS',
];

/**
 * Restricts the network access of a connection to one server: only its URL, no forbidden address, no redirect, no unlimited reply.
 * The stream for messages from the server is not opened, because it would have no reader between turns.
 */
export function endpointFetch(
  endpoint: string,
  { dispatcher }: Pick<Outbound, 'dispatcher'>,
  { replyBytes, goodbyeMs }: EndpointLimits,
  onTooLarge: () => void,
): Fetch {
  const { href } = new URL(endpoint);
  return async (url, init = {}) => {
    if (new URL(url).href !== href) throw new Error('a request to a server had another address');
    if (init.method === 'GET') return new Response(null, { status: 405 });
    const limits = init.method === 'DELETE' ? [AbortSignal.timeout(goodbyeMs)] : [];
    const signals = init.signal === undefined || init.signal === null ? limits : [init.signal, ...limits];
    const { fetch } = await import('undici');
    // Node's global fetch does not accept a custom dispatcher of another undici version.
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
      throw notConnected.includes(code) ? new NotSentError('there is no connection', { cause }) : error;
    });
    const { status, statusText, body } = response;
    if (status >= 300 && status < 400) {
      await body?.cancel();
      throw new NotSentError('a redirect is not followed');
    }
    const head = { status, statusText, headers: [...response.headers] };
    if (body === null) return new Response(null, head);
    if (!response.ok) {
      // The body of an error would be logged, and may repeat secrets of the request.
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
