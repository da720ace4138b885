import type { ApiKeyScope } from '@mlango/schemas/oracle-api-keys';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyRequest } from 'fastify';
import { type ApiKeys, isApiKey } from '../../identity/api-keys.js';
import { type Content, contentScopes, isOwnSignature } from '../../identity/route-rights.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Scopes of the API key of the caller; null for callers with a UCAN. */
    keyScopes: readonly ApiKeyScope[] | null;
  }
  interface FastifyInstance {
    /** Authenticates a request with an API key. @returns false if it has none @throws ServiceError if the key is refused */
    takeApiKey: (request: FastifyRequest) => Promise<boolean>;
    readonly takesApiKeys: boolean;
  }
}

/** Makes protected routes accept API keys, if API keys are enabled. */
export function acceptApiKeys(app: HttpApp, keys: Pick<ApiKeys, 'admit'> | undefined): void {
  app.decorateRequest('keyScopes', null);
  app.decorate('takesApiKeys', keys !== undefined);
  app.decorate('takeApiKey', async (request) => {
    const key = request.headers.authorization?.replace(/^bearer +/i, '');
    if (keys === undefined || key === undefined || !isApiKey(key)) return false;
    const admitted = await keys.admit(key);
    if (admitted === undefined) throw new ServiceError('unauthenticated', 'Unknown, expired or revoked API key');
    const validUntil = Math.floor(admitted.expiresAt.getTime() / 1000);
    const path = admitted.madeBy === undefined ? [] : [admitted.madeBy];
    request.caller = { did: admitted.ownerDid, via: 'app', validUntil, path };
    request.keyScopes = admitted.scopes;
    refuseBeyond(request);
    return true;
  });
}

/** Routes without declared scopes refuse API keys. */
function refuseBeyond({ keyScopes, routeOptions: { config, url } }: FastifyRequest): void {
  if (url === undefined) return;
  if (config.keyScopes === undefined) throw notByKey();
  const missing = config.keyScopes.filter((scope) => keyScopes?.includes(scope) === false);
  if (missing.length > 0) throw keyLacks(missing);
}

/** Whether this request and its reply may contain this content, for routes that have it in some requests only. */
export function mayHave({ keyScopes, routeOptions: { config } }: FastifyRequest, content: Content): boolean {
  const presence = config.right?.[content] ?? 'never';
  if (presence === 'never')
    throw new Error(`the table of rights declares that this route never returns the content ${content}`);
  return keyScopes === null || keyScopes.includes(contentScopes[content]);
}

/** Checks the scope before a reply contains earlier content or a client tool is accepted. @throws ServiceError */
export function requireContent(request: FastifyRequest, content: Content): void {
  if (!mayHave(request, content)) throw keyLacks([contentScopes[content]]);
}

/** Checks the scope for a JSON-RPC method that always replies with earlier content. @throws ServiceError */
export function requireMethodRight(request: FastifyRequest, method: string): void {
  const { methods = {} } = request.routeOptions.config.right ?? {};
  if (Object.hasOwn(methods, method) && methods[method] === 'always') requireContent(request, 'earlier');
}

/** Requires the user's own signature. @throws ServiceError for an API key, a delegation or an invocation with proofs */
export function requireOwnSignature(request: FastifyRequest): void {
  if (request.keyScopes !== null) throw notByKey();
  if (isOwnSignature(callerOf(request))) return;
  throw new ServiceError('permission_denied', 'This requires an invocation signed by your own key, without proofs');
}

function notByKey(): ServiceError {
  return new ServiceError('permission_denied', 'Not allowed with an API key: this requires a UCAN of the user');
}

function keyLacks(scopes: readonly ApiKeyScope[]): ServiceError {
  return new ServiceError('permission_denied', `This API key lacks the scope ${scopes.join(' and ')}`);
}
