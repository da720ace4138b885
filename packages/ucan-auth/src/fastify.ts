import type { FastifyInstance, FastifyPluginAsync, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { AuthFailure, AuthOutcome, Caller, RequestHeaders, Sender } from './auth.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling: set by `requireUcan`, null on routes without it. */
    caller: Caller | null;
  }
  interface FastifyInstance {
    /** `onRequest` hook of protected routes: sets `request.caller`, or throws the failure. */
    requireUcan: onRequestAsyncHookHandler;
  }
}

export interface UcanAuthPluginOptions {
  readonly auth: { request(headers: RequestHeaders, sender?: Sender, actsBy?: string): Promise<AuthOutcome> };
  /** Whose budget pays for keys that have to be looked up. Default: that of the address in `request.ip`. */
  readonly addressOf?: (request: FastifyRequest) => string;
  /** The ability by which others may call a route for somebody. Default: nobody calls for another. */
  readonly actsBy?: (request: FastifyRequest) => string | undefined;
  /** What to throw for a failure, such as the app's own error. Default: UcanAuthError. */
  readonly toError?: (failure: AuthFailure, request: FastifyRequest) => Error;
}

/** A failure as Fastify's own error handler renders it: status, message and headers. */
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
 * Adds `app.requireUcan` and `request.caller` to the app it is registered on. It has no hooks of its own: a route that does not
 * ask for `requireUcan` never has its headers looked at.
 */
export const ucanAuthPlugin: FastifyPluginAsync<UcanAuthPluginOptions> = async (
  app: FastifyInstance,
  { auth, addressOf = ({ ip }) => ip, actsBy, toError },
) => {
  const errorOf = toError ?? ((failure: AuthFailure) => new UcanAuthError(failure));
  app.decorateRequest('caller', null);
  app.decorate('requireUcan', async (request: FastifyRequest) => {
    const outcome = await auth.request(request.headers, { address: addressOf(request) }, actsBy?.(request));
    if (outcome.ok) {
      request.caller = outcome.caller;
      return;
    }
    const { artifact, reason } = outcome.failure;
    request.log.info({ artifact, reason }, 'ucan refused');
    throw errorOf(outcome.failure, request);
  });
};

// The decorations are for the app that registers the plugin, not for a scope of its own.
Object.defineProperties(ucanAuthPlugin, {
  [Symbol.for('skip-override')]: { value: true },
  [Symbol.for('fastify.display-name')]: { value: '@mlango/ucan-auth' },
});

/**
 * The caller of a request that passed `requireUcan`.
 * @throws TypeError on any other: the route forgot the hook.
 */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null || request.caller === undefined) {
    throw new TypeError('this route has no requireUcan hook');
  }
  return request.caller;
}
