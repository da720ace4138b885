import { errorFunnel, type HttpApp } from '@mlango/service-kit/http-app';
import type { Deps } from '../../deps.js';
import { forCallers } from '../../http/for-callers.js';
import { acceptFileBodies, conversationBytes } from '../../http/limit-bodies.js';
import { bearerIsInvocation } from '../bearer-is-invocation.js';
import { PassingSessions } from '../passing-sessions.js';
import { chatRoutes } from './chat-completions.js';
import { conversationRoutes } from './conversations.js';
import { modelRoutes } from './models.js';
import { renderOpenAiError } from './openai-error.js';
import { responseRoutes } from './responses.js';

/** `/v1`: the oracle as clients of the OpenAI API speak to it. */
export function openAiDoor(app: HttpApp, deps: Deps): void {
  void app.register(
    async (scope: HttpApp) => {
      const funnel = errorFunnel(renderOpenAiError);
      scope.setErrorHandler(funnel.send);
      scope.setNotFoundHandler(funnel.notFound);
      bearerIsInvocation(scope);
      forCallers(scope, deps);
      const bodyLimit = acceptFileBodies(scope, deps, conversationBytes);
      const passing = new PassingSessions(deps);
      scope.addHook('onClose', () => passing.drained());
      modelRoutes(scope, deps);
      chatRoutes(scope, { ...deps, passing, bodyLimit });
      responseRoutes(scope, { ...deps, passing, bodyLimit });
      conversationRoutes(scope, deps);
    },
    { prefix: '/v1' },
  );
}
