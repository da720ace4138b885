import type { HttpApp } from '@mlango/service-kit/http-app';
import { lineOf } from '../line/line-cookie.js';
import type { Lines } from '../line/lines.js';
import { forward } from './forward.js';

export interface OracleDoor {
  readonly url: string;
}

/** What a user may ask of an oracle. Its operators' routes have no way through here. */
const usersOwn =
  /^\/(sessions|messages|runs|delegation|revocations|socket\.io|user-preferences|memories|models|calls|approvals)(\/|$)|^\/(credits)?$/;

/**
 * The chat's way: REST, streams and sockets. Its connections are on a line
 * that the browser's user can have cut.
 */
export async function oracleDoor(app: HttpApp, { url }: OracleDoor, lines: Lines): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      const line = lineOf(request.headers.cookie);
      if (lines.take(line, request.raw.socket)) done();
      else void reply.hijack();
    });
    await forward(scope as HttpApp, {
      url,
      prefix: '/oracle',
      methods: ['GET', 'POST', 'DELETE'],
      allows: (path) => usersOwn.test(path),
      websocket: true,
    });
  });
}
