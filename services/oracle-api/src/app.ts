import { converseAbility } from '@mlango/schemas/oracle-delegation';
import { sendLimits } from '@mlango/schemas/oracle-send';
import { callerRefused } from '@mlango/service-kit/errors';
import { addressKey, createHttpApp, type HttpApp } from '@mlango/service-kit/http-app';
import { ucanAuthPlugin } from '@mlango/ucan-auth/fastify';
import { settleSocketApproval } from './agent/suspension.js';
import { corsOptions } from './cors.js';
import type { Deps } from './deps.js';
import { accountRoutes } from './http/account.js';
import { apiKeyRoutes } from './http/api-keys.js';
import { approvalRoutes } from './http/approvals.js';
import { branchRoutes } from './http/branches.js';
import { delegationRoutes, revocationRoutes } from './http/delegation.js';
import { acceptApiKeys } from './http/hooks/api-key-auth.js';
import { acceptJsonBodies } from './http/hooks/bodies.js';
import { limitLongRequests, limitStorage } from './http/hooks/limits.js';
import { requireAuthScope } from './http/hooks/require-auth-scope.js';
import { messagePageRoutes } from './http/message-list.js';
import { messageRoutes, trackDeclaringTab } from './http/messages.js';
import { apiDescription } from './http/openapi.js';
import { pluginRoutes } from './http/plugin-routes.js';
import { landingRoutes, modelRoutes } from './http/public.js';
import { runRoutes } from './http/runs.js';
import { sessionRoutes, sessionSearchRoutes } from './http/sessions.js';
import { mountProtocols } from './protocols/mount.js';
import { openSockets } from './sockets/open-sockets.js';
import { version } from './version.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Factor of the rate limit of a public route, for addresses shared by users. */
    readonly usersOfAddress?: number;
    /** The route counts its requests itself. */
    readonly isCountedByRoute?: boolean;
  }
}

/** Builds the HTTP app on opened dependencies. */
export async function buildApp(deps: Deps): Promise<HttpApp> {
  const app = await createHttpApp({
    version,
    logger: deps.logger,
    trustProxy: deps.trustProxy,
    publicUrl: deps.publicUrl,
    bodyLimitBytes: sendLimits.bodyBytes,
    readiness: deps.readiness,
    metrics: deps.metrics,
    metricsAccess: deps.metricsAccess,
    securityContacts: deps.securityContacts,
    cors: corsOptions(deps.corsOrigins),
    openapi: deps.docs ? { ...apiDescription, tryAs: deps.tryAs } : undefined,
    rateLimit: {
      ...deps.rateLimit,
      keyOf: (request) => (request.caller ? `user:${request.caller.did}` : undefined),
      maxOf: ({ routeOptions: { config } }) =>
        config.isCountedByRoute === true ? undefined : deps.rateLimit.max * (config.usersOfAddress ?? 1),
    },
    tracing: deps.tracing,
  });
  await app.register(ucanAuthPlugin, {
    auth: deps.auth,
    addressOf: ({ ip }) => addressKey(ip),
    onBehalfAbility: ({ routeOptions: { config } }) => (config.isConversing === true ? converseAbility : undefined),
    toError: callerRefused,
  });
  acceptApiKeys(app, deps.apiKeys);
  acceptJsonBodies(app);
  limitStorage(app, deps.storage);
  limitLongRequests(app, deps.pools);
  landingRoutes(app, deps);
  modelRoutes(app, deps);
  await app.register(async (scope: HttpApp) => {
    requireAuthScope(scope, deps);
    trackDeclaringTab(scope, deps);
    sessionRoutes(scope, deps);
    sessionSearchRoutes(scope, deps);
    messageRoutes(scope, deps);
    branchRoutes(scope, deps);
    delegationRoutes(scope, deps);
    revocationRoutes(scope, deps);
    messagePageRoutes(scope, deps);
    runRoutes(scope, deps);
    approvalRoutes(scope, deps);
    accountRoutes(scope, deps);
    if (deps.apiKeys !== undefined) apiKeyRoutes(scope, deps.apiKeys);
  });
  deps.realtime.onApproval((member, data) => settleSocketApproval(deps, member, data));
  await mountProtocols(app, deps);
  await pluginRoutes(app, deps);
  const closeSockets = await openSockets(app, deps);
  app.addHook('preClose', async () => {
    await deps.turns.drain(deps.drain.turnsMs);
    await deps.streams.finish(deps.drain.streamsMs);
    await closeSockets();
  });
  return app;
}
