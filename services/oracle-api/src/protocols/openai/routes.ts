import { errorFunnel, type HttpApp } from '@mlango/service-kit/http-app';
import { acceptFileBodies, conversationBytes } from '../../http/hooks/bodies.js';
import { requireAuthScope } from '../../http/hooks/require-auth-scope.js';
import { bearerIsInvocation } from '../admission.js';
import type { ProtocolDeps } from '../protocol-deps.js';
import { TemporarySessions } from '../sessions.js';
import { routes as chatRoutes } from './chat/routes.js';
import { renderError } from './errors.js';
import { modelRoutes } from './models.js';
import { conversationRoutes } from './responses/conversations.js';
import { routes as responseRoutes } from './responses/routes.js';

/** `/v1`: the OpenAI API. */
export function routes(app: HttpApp, deps: ProtocolDeps): void {
  void app.register(
    async (scope: HttpApp) => {
      const funnel = errorFunnel(renderError);
      scope.setErrorHandler(funnel.send);
      scope.setNotFoundHandler(funnel.notFound);
      bearerIsInvocation(scope);
      requireAuthScope(scope, deps);
      const bodyLimit = acceptFileBodies(scope, deps, conversationBytes);
      const passing = new TemporarySessions(deps);
      scope.addHook('onClose', () => passing.drained());
      modelRoutes(scope, deps);
      chatRoutes(scope, { ...deps, passing, bodyLimit });
      responseRoutes(scope, { ...deps, passing, bodyLimit });
      conversationRoutes(scope, deps);
    },
    { prefix: '/v1' },
  );
}
