import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { HttpApp } from '@mlango/service-kit/http-app';

/** What the hop was sent as: `POST` or `PUT`. The proxy sets it, and drops it from everything else. */
const methodHeader = 'x-hop-method';
/** `hop` comes first: a parameter of this name that the caller sent itself stands after it. */
const packed = /^([^?]*)\?hop=([^&]*)(?:&(.*))?$/s;

export interface PackedHops {
  /** The address as the caller sent it. */
  readonly rewriteUrl: (request: IncomingMessage & { originalUrl?: string }) => string;
  /** Hands the body to the parser of its content type. */
  readonly addTo: (app: HttpApp) => void;
}

/**
 * Takes hops that a reverse proxy passes on as a GET, with the body as the first parameter of the query: Caddy sends a
 * body once only, and so could not ask another replica when one dies. Before anything else sees such a request it is the
 * one that the caller sent: it is judged as that, and no log and no trace gets a query with what was typed. The header
 * keeps pages of browsers from sending one.
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
