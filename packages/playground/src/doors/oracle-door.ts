import type { HttpApp } from '@mlango/service-kit/http-app';
import { lineOf } from '../line/line-cookie.js';
import type { Lines } from '../line/lines.js';
import { requireThisPage } from '../routes/from-this-page.js';
import { forward } from './forward.js';

export interface OracleDoor {
  readonly url: string;
  /** Whether the page may add to balances as an operator does. The oracle still asks for a token where it has one. */
  readonly topUps: boolean;
}

/** What a user may ask of an oracle. Its operators' routes have no way through here. */
const usersOwn =
  /^\/(sessions|messages|runs|delegation|revocations|socket\.io|user-preferences|memories|attachments|models|calls|approvals|api-keys|account)(\/|$)|^\/(credits)?$/;

/**
 * The chat's way: REST, streams and sockets. Its connections are on a line
 * that the browser's user can have cut.
 */
export async function oracleDoor(app: HttpApp, { url, topUps }: OracleDoor, lines: Lines): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      const line = lineOf(request.headers.cookie);
      if (lines.take(line, request.raw.socket)) done();
      else void reply.hijack();
    });
    await forward(scope as HttpApp, {
      url,
      prefix: '/oracle',
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allows: (path) => usersOwn.test(path),
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
    check: requireThisPage,
  });
}
