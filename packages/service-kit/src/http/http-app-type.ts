import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { ReturnableAllowance } from '../rate-limit/rate-limit-store.js';

/** A Fastify app whose routes are typed, checked and serialised by zod schemas. */
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
    /** Answers programs, never a browser's page: of the security headers it sends the one that keeps a browser from taking it for a page. */
    programsOnly?: boolean;
    /**
     * The handler begins while the caller's limit is still being asked for, which saves the time of a trip to a shared store. It waits for
     * `request.admission` before it does anything that a refused caller could notice or have caused.
     */
    limitedBeside?: boolean;
  }
  interface FastifyInstance {
    /** Wrong operator tokens by address; undefined where requests are not limited. */
    operatorGuesses: ReturnableAllowance | undefined;
  }
  interface FastifyRequest {
    /** Rejects where the caller is over the limit; undefined where that was known before the handler. */
    admission: Promise<void> | undefined;
    /** The path under which clients reach this service: empty, or such as `/chain`, without a slash at its end. */
    readonly basePath: string;
    /** The address under which clients reach this service, without a slash at its end: `https://api.example/chain`. */
    readonly publicUrl: string;
  }
}
