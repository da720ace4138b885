import type { FastifyInstance, FastifyPluginAsync, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Sender } from '../dids/did-resolver.js';
import type { AuthFailure, AuthOutcome, Caller } from './auth-outcome.js';
import type { RequestHeaders } from './authenticate.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller, set by `requireUcan`; null on routes without it. */
    caller: Caller | null;
  }
  interface FastifyInstance {
    /** `onRequest` hook of protected routes: sets `request.caller` or throws the failure. */
    requireUcan: onRequestAsyncHookHandler;
  }
}

export interface UcanAuthPluginOptions {
  readonly auth: { request(headers: RequestHeaders, sender?: Sender, onBehalfAbility?: string): Promise<AuthOutcome> };
  /** The address that key lookups are counted for. Default: `request.ip`. */
  readonly addressOf?: (request: FastifyRequest) => string;
  /** The ability that a DID grants to others so that they may call the route on its behalf. Default: none. */
  readonly onBehalfAbility?: (request: FastifyRequest) => string | undefined;
  /** The error to throw for a failure. Default: UcanAuthError. */
  readonly toError?: (failure: AuthFailure, request: FastifyRequest) => Error;
}

/** A failure as an error that Fastify's default error handler renders with status, message and headers. */
export class UcanAuthError extends Error {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly failure: AuthFailure;

  constructor(failure: AuthFailure) {
    super(failure.message);
    this.name = 'UcanAuthError';
    this.statusCode = failure.status;
    this.headers = { ...failure.headers };
    this.failure = failure;
  }
}

/**
 * Adds `app.requireUcan` and `request.caller` to the app. It adds no hooks: headers of routes without `requireUcan` are never read.
 */
export const ucanAuthPlugin: FastifyPluginAsync<UcanAuthPluginOptions> = async (
  app: FastifyInstance,
  { auth, addressOf = ({ ip }) => ip, onBehalfAbility, toError },
) => {
  const errorOf = toError ?? ((failure: AuthFailure) => new UcanAuthError(failure));
  app.decorateRequest('caller', null);
  app.decorate('requireUcan', async (request: FastifyRequest) => {
    const outcome = await auth.request(request.headers, { address: addressOf(request) }, onBehalfAbility?.(request));
    if (outcome.ok) {
      request.caller = outcome.caller;
      return;
    }
    const { artifact, reason } = outcome.failure;
    request.log.info({ artifact, reason }, 'ucan refused');
    throw errorOf(outcome.failure, request);
  });
};

// The decorations belong to the app that registers the plugin, not to an encapsulated scope (fastify-plugin).
Object.defineProperties(ucanAuthPlugin, {
  [Symbol.for('skip-override')]: { value: true },
  [Symbol.for('fastify.display-name')]: { value: '@mlango/ucan-auth' },
});

/**
 * The caller of a request that passed `requireUcan`.
 * @throws {TypeError} if the route has no such hook
 */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null || request.caller === undefined) {
    throw new TypeError('this route has no requireUcan hook');
  }
  return request.caller;
}
