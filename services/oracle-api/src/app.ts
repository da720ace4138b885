import { converseAbility } from '@mlango/schemas/oracle-delegation';
import { sendLimits } from '@mlango/schemas/oracle-send';
import { callerRefused } from '@mlango/service-kit/errors';
import { addressKey, createHttpApp, type HttpApp } from '@mlango/service-kit/http-app';
import { ucanAuthPlugin } from '@mlango/ucan-auth/fastify';
import { settleShownApproval } from './agent/lifecycle/settle-approval.js';
import type { Deps } from './deps.js';
import { accountRoutes } from './http/account.js';
import { apiDescription } from './http/api-description.js';
import { apiKeyRoutes } from './http/api-keys.js';
import { approvalRoutes } from './http/approvals.js';
import { branchRoutes } from './http/branches.js';
import { corsOptions } from './http/cors.js';
import { rememberDeclaringTab } from './http/declaring-tab.js';
import { delegationRoutes } from './http/delegation.js';
import { forCallers } from './http/for-callers.js';
import { acceptJsonBodies } from './http/json-bodies.js';
import { landingRoutes } from './http/landing.js';
import { limitLongRequests } from './http/limit-long-requests.js';
import { limitStorage } from './http/limit-storage.js';
import { messagePageRoutes } from './http/message-pages.js';
import { messageRoutes } from './http/messages.js';
import { modelRoutes } from './http/models.js';
import { pluginRoutes } from './http/plugin-routes.js';
import { revocationRoutes } from './http/revocations.js';
import { runRoutes } from './http/runs.js';
import { sessionSearchRoutes } from './http/session-search.js';
import { sessionRoutes } from './http/sessions.js';
import { takeApiKeys } from './http/take-api-keys.js';
import { mountDoors } from './protocols/mount-doors.js';
import { openSockets } from './sockets/open-sockets.js';
import { version } from './version.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How many users may stand behind one address that calls a public route: it may call so many times as often. */
    readonly usersOfAddress?: number;
    /** A door that counts by itself what comes in by it. */
    readonly isCountedByDoor?: boolean;
  }
}

/** The whole HTTP surface of the service on given parts. Opens nothing. */
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
        config.isCountedByDoor === true ? undefined : deps.rateLimit.max * (config.usersOfAddress ?? 1),
    },
    tracing: deps.tracing,
  });
  await app.register(ucanAuthPlugin, {
    auth: deps.auth,
    addressOf: ({ ip }) => addressKey(ip),
    onBehalfAbility: ({ routeOptions: { config } }) => (config.isConversing === true ? converseAbility : undefined),
    toError: callerRefused,
  });
  takeApiKeys(app, deps.apiKeys);
  acceptJsonBodies(app);
  limitStorage(app, deps.storage);
  limitLongRequests(app, deps.pools);
  landingRoutes(app, deps);
  modelRoutes(app, deps);
  await app.register(async (scope: HttpApp) => {
    forCallers(scope, deps);
    rememberDeclaringTab(scope, deps);
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
  deps.realtime.onApproval((member, data) => settleShownApproval(deps, member, data));
  await mountDoors(app, deps);
  await pluginRoutes(app, deps);
  const closeDoors = await openSockets(app, deps);
  app.addHook('preClose', async () => {
    await deps.turns.drain(deps.drain.turnsMs);
    await deps.streams.finish(deps.drain.streamsMs);
    await closeDoors();
  });
  return app;
}
