import { jsonError } from '@mlango/schemas/errors';
import { ussdCustomerId, ussdPinCode } from '@mlango/schemas/ussd';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { z } from 'zod';
import type { Deps } from '../deps.js';
import type { ForOperators } from './for-operators.js';

/** Lets operators issue a code to a subscriber who forgot the PIN. */
export function pinCodeRoute(app: HttpApp, { pinCodes }: Deps, common: ForOperators): void {
  app.post(
    '/api/ussd/customers/:customerId/pin-code',
    {
      preHandler: common.preHandler,
      schema: {
        ...common.described,
        summary: 'Put a one-time code in the place of a forgotten PIN',
        params: z.object({ customerId: ussdCustomerId }),
        response: { 200: ussdPinCode, 400: jsonError, 404: jsonError, ...common.failures },
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
