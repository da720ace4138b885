import { jsonError } from '@mlango/schemas/errors';
import type { OpenApiOptions } from '@mlango/service-kit/http-app';
import type { RouteOptions } from 'fastify';

/** General part of the API description at `/docs`; routes add their own parts. */
export const apiDescription: OpenApiOptions = {
  title: 'Mlango oracle',
  description:
    'Chat sessions between a user and an agent. Protected routes want a UCAN invocation signed by the user ' +
    '(`Authorization: Bearer …` together with `X-Auth-Type: ucan`) or a delegation from the user to this oracle ' +
    '(`x-ucan-delegation: …`). Every reply carries `X-Request-Id`. Errors are `{statusCode, error, message}`.',
  tags: [
    { name: 'public', description: 'Needs no authentication' },
    { name: 'sessions', description: "The caller's sessions" },
    { name: 'messages', description: "The messages of the caller's sessions" },
    { name: 'delegation', description: 'What the caller lets the oracle do on their behalf' },
    { name: 'runs', description: 'What answers a message, and its stream' },
    { name: 'approvals', description: 'Calls of tools that wait until the caller allows them' },
    { name: 'api-keys', description: 'Keys of the caller for scripts that cannot sign' },
    { name: 'account', description: 'All that is kept of the caller' },
    { name: 'preferences', description: 'How the caller wants to be talked to' },
    { name: 'operators', description: 'For the operator of the oracle; closed at the shipped proxies' },
  ],
  securitySchemes: {
    ucan: {
      type: 'http',
      scheme: 'bearer',
      description: 'A base64 UCAN invocation; counts only beside the header `X-Auth-Type: ucan`',
    },
    ucanSelector: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Auth-Type',
      description: '`ucan`; without it the bearer is not looked at',
    },
    apiKey: { type: 'http', scheme: 'bearer', description: 'A key of the user, `mlk_…`, where `API_KEYS` is on' },
    operator: {
      type: 'http',
      scheme: 'bearer',
      description: 'The token of whoever runs the oracle, one for each plugin',
    },
    delegation: {
      type: 'apiKey',
      in: 'header',
      name: 'x-ucan-delegation',
      description: 'A base64 delegation from the user to this oracle, instead of an invocation',
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
