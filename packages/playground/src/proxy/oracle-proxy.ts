import type { HttpApp } from '@mlango/service-kit/http-app';
import { type Connections, connectionOf } from '../connections.js';
import { requireSameOrigin } from '../routes/same-origin.js';
import { forward } from './forward.js';

export interface OracleProxy {
  readonly url: string;
  /** Whether the page may top up balances as an operator. The oracle still requires its operator token, if it has one. */
  readonly topUps: boolean;
}

/** Routes of users, with all below them. Operators' routes are not forwarded. */
const usersOwn =
  /^\/(sessions|messages|runs|delegation|revocations|socket\.io|user-preferences|memories|attachments|models|approvals|api-keys|account)(\/|$)/;
/** Routes of users with other routes below them: `/calls/:id/agent`, `/calls/livekit`, `/credits/top-ups`. */
const usersOwnAlone = /^\/(credits|calls|calls\/(?!livekit$)[^/]+)?$/;

/** The chat's proxy: REST, streams and sockets. Its connections belong to a group that the browser's user can cut. */
export async function oracleProxy(app: HttpApp, { url, topUps }: OracleProxy, lines: Connections): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      const line = connectionOf(request.headers.cookie);
      if (lines.take(line, request.raw.socket)) done();
      else void reply.hijack();
    });
    await forward(scope as HttpApp, {
      url,
      prefix: '/oracle',
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allows: (path) => usersOwn.test(path) || usersOwnAlone.test(path),
      websocket: true,
    });
  });
  if (!topUps) return;
  await forward(app, {
    url,
    prefix: '/oracle/credits/top-ups',
    target: '/credits/top-ups',
    methods: ['POST'],
    allows: (path) => path === '',
    check: requireSameOrigin,
  });
}
