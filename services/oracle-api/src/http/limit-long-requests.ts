import { admit } from '@mlango/service-kit/async';
import { addressKey, type HttpApp } from '@mlango/service-kit/http-app';
import type { SharedPools } from '../shared-pools.js';

/**
 * Bounds the requests that one user, and one address, has open at a time on routes whose reply may take as long as a turn or the reading of a
 * run (`isLong` of `route-rights`). A request counts until its connection ends or its reply is sent.
 */
export function limitLongRequests(app: HttpApp, { longRequests }: Pick<SharedPools, 'longRequests'>): void {
  app.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.config.right?.isLong !== true) return;
    const address = addressKey(request.ip);
    const permit = await admit(longRequests, { user: request.caller?.did ?? address, address });
    reply.raw.once('close', () => permit.release());
  });
}
