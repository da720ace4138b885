import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

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
  }
}
