import { addressKey, type HttpApp } from '@mlango/service-kit/http-app';
import type { FastifyRequest } from 'fastify';
import type { StorageLimits } from '../storage/storage-limits.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The table that the body of a request is stored in: it is counted against what its address may store. */
    readonly stores?: string;
  }
}

/** Counts what requests store by their bodies, on all routes that name a table in `config.stores`. */
export function limitStorage(app: HttpApp, storage: Pick<StorageLimits, 'take'>): void {
  app.addHook('preHandler', async (request) => {
    const { stores: table } = request.routeOptions.config;
    if (table !== undefined) await storage.take(addressKey(request.ip), { table, bytes: bytesOf(request) });
  });
}

function bytesOf({ body }: FastifyRequest): number {
  if (Buffer.isBuffer(body)) return body.length;
  return body === undefined || body === null ? 0 : Buffer.byteLength(JSON.stringify(body));
}
