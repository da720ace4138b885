import { apiKeyList, apiKeyPath, apiKeyRevoked, newApiKey, newApiKeyBody } from '@mlango/schemas/oracle-api-keys';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { withExample } from '@mlango/service-kit/with-example';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { StoredApiKey } from '../identity/api-key-store.js';
import { type ApiKeys, keysPerUser } from '../identity/api-keys.js';
import { errorReplies } from './errors.js';
import { requireOwnSignature } from './hooks/api-key-auth.js';

const tags = ['api-keys'];

/** `/api-keys`: keys of the caller for scripts that cannot sign. A key cannot create, list or revoke keys. */
export function apiKeyRoutes(app: HttpApp, keys: ApiKeys): void {
  app.post(
    '/api-keys',
    {
      config: { stores: 'api_keys' },
      schema: {
        tags,
        operationId: 'createApiKey',
        summary: 'Create an API key',
        description:
          `The key authenticates as the caller within its scopes. A user can have ${keysPerUser} keys. ` +
          'The request requires an invocation signed by your own key, without proofs. ' +
          'Revoking that invocation also revokes the API key.',
        body: withExample(newApiKeyBody, { name: 'my script', scopes: ['read'] }),
        response: { 201: newApiKey, ...errorReplies(400, 401, 403, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      requireOwnSignature(request);
      const made = await keys.make(callerOf(request), request.body);
      if (made === 'full') {
        throw new ServiceError('conflict', `You have ${keysPerUser} API keys: revoke one to make another`);
      }
      return reply.code(201).send({ ...keyReply(made), key: made.key });
    },
  );

  app.get(
    '/api-keys',
    {
      schema: {
        tags,
        operationId: 'listApiKeys',
        summary: 'List the API keys of the caller, newest first',
        response: { 200: apiKeyList, ...errorReplies(401) },
      },
    },
    async (request) => ({ keys: (await keys.list(callerOf(request).did)).map(keyReply) }),
  );

  app.delete(
    '/api-keys/:id',
    {
      schema: {
        tags,
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description: 'Later requests with the key are rejected.',
        params: apiKeyPath,
        response: { 200: apiKeyRevoked, ...errorReplies(400, 401, 404, 413, 415) },
      },
    },
    async (request) => {
      const isRevoked = await keys.revoke(callerOf(request).did, request.params.id);
      if (!isRevoked) throw new ServiceError('not_found', 'API key not found');
      return { ok: true as const };
    },
  );
}

function keyReply({ keyId, name, scopes, createdAt, expiresAt, lastUsedAt }: StoredApiKey) {
  return {
    id: keyId,
    name,
    scopes: [...scopes],
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString(),
  };
}
