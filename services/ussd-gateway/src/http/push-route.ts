import { SingleFlight } from '@mlango/async/single-flight';
import { jsonError } from '@mlango/schemas/errors';
import { phoneNumberPattern, serviceCodePattern } from '@mlango/schemas/ussd';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { OperatorAccess } from '@mlango/service-kit/operator-access';
import { withExample } from '@mlango/service-kit/with-example';
import { z } from 'zod';
import { pushingWebhook } from '../connectors/webhook/webhook-settings.js';
import type { Deps } from '../deps.js';
import { type Pushed, pushingAggregator, pushMenu } from '../tenants/push-menu.js';
import { anyOperator } from './tenant-operator.js';

/** Route that opens a menu on a phone that has not dialled. */
export function pushRoute(
  app: HttpApp,
  { config, effectRunner, rateLimits, tenants }: Deps,
  access: OperatorAccess,
): void {
  const { WEBHOOKS, PUSHES_PER_PHONE_PER_HOUR: perPhonePerHour } = config.connectors;
  const webhook = pushingWebhook(WEBHOOKS);
  const running = new SingleFlight<string, Pushed>();
  app.post(
    '/api/ussd/pushes',
    {
      preParsing: anyOperator(tenants, access),
      schema: {
        tags: ['operators'],
        security: [{ operator: [] }],
        operationId: 'createPush',
        summary: 'Start a session on a phone that has not dialled',
        body: withExample(
          z.object({
            key: z.string().min(1).max(100).meta({ description: 'The same again is the same push' }),
            aggregator: z.enum(config.aggregators.aggregators.map(({ id }) => id)).default(pushingAggregator),
            phoneNumber: z.string().regex(phoneNumberPattern),
            serviceCode: z.string().regex(serviceCodePattern(config.flows.SERVICE_CODE_LEVELS)),
            screen: z.string().min(1).max(60),
          }),
          { key: 'hello-1', phoneNumber: '+260971230567', serviceCode: '*384#', screen: 'main' },
        ),
        response: {
          200: z.object({ sessionId: z.string(), result: z.enum(['pushed', 'refused', 'unanswered', 'pending']) }),
          400: jsonError,
          401: jsonError,
          403: jsonError,
          409: jsonError,
          413: jsonError,
          415: jsonError,
          429: jsonError,
          500: jsonError,
          503: jsonError,
          504: jsonError,
        },
      },
    },
    async ({ body: { aggregator, ...push }, operatedTenant: own }) => {
      const service = tenants.dialled(push.serviceCode);
      if (service === undefined) throw new ServiceError('invalid_argument', 'This service code is not served here');
      if (own !== null && own.id !== service.id)
        throw new ServiceError('permission_denied', 'This token is for another service than the one with this code');
      if (aggregator !== pushingAggregator) {
        const reason = `"${aggregator}" has no interface to open a session from the gateway: "${pushingAggregator}" can, by a webhook with pushes: true`;
        throw new ServiceError('invalid_argument', reason);
      }
      if (webhook === undefined) throw new ServiceError('invalid_argument', 'No webhook has pushes: true');
      return pushMenu(push, service, { effectRunner, rateLimits, perPhonePerHour, webhook, running });
    },
  );
}
