import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { HttpApp } from '@mlango/service-kit/http-app';

/** The original method, `POST` or `PUT`. The proxy sets this header, and removes it from other requests. */
const methodHeader = 'x-hop-method';
/** `hop` is the first parameter; a parameter of that name from the caller follows it. */
const packed = /^([^?]*)\?hop=([^&]*)(?:&(.*))?$/s;

export interface PackedHops {
  /** Restores the URL that the caller sent. */
  readonly rewriteUrl: (request: IncomingMessage & { originalUrl?: string }) => string;
  /** Passes the body to the parser of its content type. */
  readonly addTo: (app: HttpApp) => void;
}

/**
 * Restores hops that a reverse proxy forwards as a GET with the body as the first query parameter: Caddy sends a body once only, so it
 * could not retry at another replica. The request is restored before any other code sees it, so that no log and no trace contains the
 * user's input. Browsers cannot send the header from a page.
 */
export function packedHops(): PackedHops {
  const bodies = new WeakMap<IncomingMessage, Buffer>();
  return {
    rewriteUrl: (request) => {
      const { url = '/', method, headers } = request;
      const sentAs = headers[methodHeader];
      if (method !== 'GET' || (sentAs !== 'POST' && sentAs !== 'PUT')) return url;
      const [, path, hop, rest] = packed.exec(url) ?? [];
      if (path === undefined || hop === undefined) return url;
      const body = Buffer.from(new URLSearchParams(`hop=${hop}`).get('hop') ?? '');
      bodies.set(request, body);
      request.method = sentAs;
      headers['content-length'] = String(body.length);
      const sentTo = rest === undefined || rest === '' ? path : `${path}?${rest}`;
      request.originalUrl = sentTo;
      return sentTo;
    },
    addTo: (app) => {
      app.addHook('preParsing', (request, _reply, payload, done) => {
        const body = bodies.get(request.raw);
        done(null, body === undefined ? payload : Readable.from([body]));
      });
    },
  };
}
