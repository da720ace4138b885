import { errorFunnel, type HttpApp } from '@mlango/service-kit/http-app';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.js';
import { keepProtected } from '../http/keep-protected.js';
import { requireCaller } from '../http/require-caller.js';
import { chatRoutes } from './chat-completions.js';
import { conversationRoutes } from './conversations.js';
import { modelRoutes } from './models.js';
import { renderOpenAiError } from './openai-error.js';
import { PassingSessions } from './passing-sessions.js';
import { responseRoutes } from './responses.js';

/** `/v1`: the oracle as clients of the OpenAI API speak to it. */
export function openAiDoor(app: HttpApp, deps: Deps): void {
  void app.register(
    async (scope: HttpApp) => {
      const funnel = errorFunnel(renderOpenAiError);
      scope.setErrorHandler(funnel.send);
      scope.setNotFoundHandler(funnel.notFound);
      scope.addHook('onRequest', (request, _reply, done) => {
        readKeyAsInvocation(request);
        done();
      });
      requireCaller(scope, deps.addresses.requests);
      keepProtected(scope, deps.plugins.authExcludedRoutes);
      const passing = new PassingSessions(deps);
      scope.addHook('onClose', () => passing.drained());
      modelRoutes(scope, deps);
      chatRoutes(scope, { ...deps, passing });
      responseRoutes(scope, { ...deps, passing });
      conversationRoutes(scope, deps);
    },
    { prefix: '/v1' },
  );
}

/** Clients of this protocol have one key and no other header: it is the invocation, unless a delegation comes with it. */
function readKeyAsInvocation({ headers }: FastifyRequest): void {
  if (headers['x-ucan-delegation'] === undefined) headers['x-auth-type'] ??= 'ucan';
}
