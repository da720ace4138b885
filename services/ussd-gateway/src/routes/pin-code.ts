import { jsonError } from '@mlango/schemas/errors';
import { ussdCustomerId, ussdPinCode } from '@mlango/schemas/ussd';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { operatorOnly } from '@mlango/service-kit/operator-access';
import { z } from 'zod';
import type { Deps } from '../deps.js';

type Guard = ReturnType<typeof operatorOnly>;

/** Lets operators issue a code to a subscriber who forgot the PIN. @param guard lets nobody but them in. */
export function pinCodeRoute(app: HttpApp, { pinCodes }: Deps, guard: Guard): void {
  app.post(
    '/api/ussd/customers/:customerId/pin-code',
    {
      preHandler: guard,
      schema: {
        tags: ['operators'],
        security: [{ operator: [] }],
        summary: 'Put a one-time code in the place of a forgotten PIN',
        params: z.object({ customerId: ussdCustomerId }),
        response: {
          200: ussdPinCode,
          400: jsonError,
          401: jsonError,
          404: jsonError,
          429: jsonError,
          500: jsonError,
          503: jsonError,
        },
      },
    },
    async (request, reply) => {
      const { customerId } = request.params;
      const issued = await pinCodes.issue(customerId, 'operator route');
      if (issued === undefined) throw new ServiceError('not_found', 'There is no such customer');
      const { code, lifeMinutes } = issued;
      return reply.header('cache-control', 'no-store').code(200).send({ customerId, code, lifeMinutes });
    },
  );
}
