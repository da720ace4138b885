import type { HttpApp } from '@mlango/service-kit/http-app';
import type { Connections } from '../connections.js';
import { forward } from './forward.js';

export interface ChainProxy {
  readonly url: string;
  /** API key of the query gateway, if it requires one. */
  readonly apiKey?: string | undefined;
}

/** Routes of the gateway that are neither queries nor their description, with every path that begins like one. */
const notAQuery = /^\/+(health|metrics|revocations|usage|docs|\.well-known)/i;
const watches = /[?&]watch=1(&|$)/;

/** The explorer's proxy to the query gateway: every query, watched or not, and their description. */
export async function chainProxy(app: HttpApp, { url, apiKey }: ChainProxy, lines: Connections): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', (request, _reply, done) => {
      // Without an id, so that it is never cut: the socket ends with this server.
      if (watches.test(request.url)) lines.take(undefined, request.raw.socket);
      done();
    });
    await forward(scope as HttpApp, {
      url,
      prefix: '/chain',
      methods: ['GET'],
      allows: (path) => !notAQuery.test(path),
      headers: apiKey === undefined ? {} : { 'x-api-key': apiKey },
    });
  });
}
