import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { ReturnableAllowance } from '../rate-limit/rate-limit-store.js';

/** A Fastify app with routes typed, checked and serialised by zod schemas. */
export type HttpApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse<IncomingMessage>,
  FastifyBaseLogger,
  ZodTypeProvider
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route for probes and operators: never shed, never rate limited, logged at debug only. */
    probe?: boolean;
    /** For programs, not browser pages: sends only the security header that prevents rendering as a page. */
    programsOnly?: boolean;
    /**
     * The handler starts while the rate limit is read, which saves one round trip to the shared store. It awaits `request.admission`
     * before any effect that a refused caller could observe.
     */
    limitedConcurrently?: boolean;
  }
  interface FastifyInstance {
    /** Wrong operator tokens by address; undefined if requests are not limited. */
    operatorGuesses: ReturnableAllowance | undefined;
  }
  interface FastifyRequest {
    /** Rejects if the caller is over the limit; undefined if that was checked before the handler. */
    admission: Promise<void> | undefined;
    /** The path under which clients reach this service: empty, or such as `/chain`, without a slash at its end. */
    readonly basePath: string;
    /** The address under which clients reach this service, without a slash at its end: `https://api.example/chain`. */
    readonly publicUrl: string;
  }
}
