import type { HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import { credentialsOf } from '../sockets/member.js';
import type { Realtime } from '../sockets/realtime.js';

/**
 * Remembers which tab a message with tools or actions came from: calls of its turn go to the socket that showed one of the
 * same tokens. For routes below `/messages/:sessionId`, with a caller.
 */
export function rememberDeclaringTab(scope: HttpApp, deps: { readonly realtime: Pick<Realtime, 'calls'> }): void {
  scope.addHook('preHandler', (request, _reply, done) => {
    const { params, body, headers, routeOptions } = request;
    const isSend = routeOptions.method === 'POST' && routeOptions.url === '/messages/:sessionId';
    if (isSend && declaresCalls(body) && hasSessionId(params)) {
      const bearer = headers.authorization?.replace(/^bearer /i, '');
      const credentials = credentialsOf(bearer, headers['x-ucan-delegation']);
      const { sessionId } = params;
      const { did: ownerDid, actor } = callerOf(request);
      deps.realtime.calls.declareTools({ ownerDid, sessionId, actor }, credentials);
    }
    done();
  });
}

function declaresCalls(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const { tools, agActions }: { tools?: unknown; agActions?: unknown } = body;
  return [tools, agActions].some((declared) => Array.isArray(declared) && declared.length > 0);
}

function hasSessionId(params: unknown): params is { sessionId: string } {
  return typeof params === 'object' && params !== null && 'sessionId' in params && typeof params.sessionId === 'string';
}
