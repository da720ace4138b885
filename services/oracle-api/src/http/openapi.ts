import { jsonError } from '@mlango/schemas/errors';
import type { OpenApiOptions } from '@mlango/service-kit/http-app';
import type { RouteOptions } from 'fastify';

/** General part of the API description at `/docs`; routes add their own parts. */
export const apiDescription: OpenApiOptions = {
  title: 'Mlango oracle',
  description:
    'Chat sessions between a user and an agent. Protected routes require a UCAN invocation signed by the user ' +
    '(`Authorization: Bearer …` together with `X-Auth-Type: ucan`) or a delegation from the user to this oracle ' +
    '(`x-ucan-delegation: …`). Every reply carries `X-Request-Id`. Errors are `{statusCode, error, message}`.',
  tags: [
    { name: 'public', description: 'Needs no authentication' },
    { name: 'sessions', description: "The caller's sessions" },
    { name: 'messages', description: "The messages of the caller's sessions" },
    { name: 'delegation', description: 'Permissions that the caller delegates to the oracle, and revocations' },
    { name: 'runs', description: 'Runs, which produce the answers, and their streams' },
    { name: 'approvals', description: 'Tool calls that need a decision of the caller, and approval rules' },
    { name: 'api-keys', description: 'API keys of the caller, for scripts that cannot sign' },
    { name: 'account', description: 'Export and deletion of all data of the caller' },
    { name: 'preferences', description: 'Preferences of the caller for answers' },
    { name: 'operators', description: 'For the operator of the oracle; blocked by the proxies of the deployment' },
  ],
  securitySchemes: {
    ucan: {
      type: 'http',
      scheme: 'bearer',
      description: 'A base64 UCAN invocation; requires the header `X-Auth-Type: ucan`',
    },
    ucanSelector: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Auth-Type',
      description: '`ucan`; without it the bearer token is ignored',
    },
    apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the user, `mlk_…`, if `API_KEYS` is on' },
    operator: {
      type: 'http',
      scheme: 'bearer',
      description: 'A token of the operator, one for each plugin',
    },
    delegation: {
      type: 'apiKey',
      in: 'header',
      name: 'x-ucan-delegation',
      description: 'A base64 delegation from the user to this oracle, as an alternative to an invocation',
    },
  },
};

/** Both authentication schemes of a protected route. */
const callerSecurity = [{ ucan: [], ucanSelector: [] }, { delegation: [] }];

/** All authentication schemes, for routes that accept API keys. */
const keySecurity = [...callerSecurity, { apiKey: [] }];

/** Authentication schemes of a protected route, and the error replies that follow from them. */
export function protection(
  { takesApiKeys }: { readonly takesApiKeys: boolean },
  { config }: Pick<RouteOptions, 'config'>,
) {
  return {
    security: takesApiKeys && config?.keyScopes !== undefined ? keySecurity : callerSecurity,
    replies: takesApiKeys ? { 403: jsonError } : {},
  };
}
