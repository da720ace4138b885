import { addressKey, type HttpApp, whenReplyClosed } from '@mlango/service-kit/http-app';
import { admit } from '@mlango/service-kit/shared-pools';
import type { FastifyRequest } from 'fastify';
import type { SharedPools } from '../../shared-pools.js';
import type { StorageLimits } from '../../store/storage-limits.js';

/**
 * Bounds the concurrent long requests per user and per address (`isLong` of `route-rights`). A request counts until its connection closes
 * or its reply is sent.
 */
export function limitLongRequests(app: HttpApp, { longRequests }: Pick<SharedPools, 'longRequests'>): void {
  app.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.config.right?.isLong !== true) return;
    const address = addressKey(request.ip);
    const permit = await admit(longRequests, { user: request.caller?.did ?? address, address });
    whenReplyClosed(reply.raw, () => permit.release());
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Table that stores the body of the request; it counts against the storage allowance of the address. */
    readonly stores?: string;
  }
}

/** Counts the bytes that requests store, on all routes with `config.stores`. */
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
