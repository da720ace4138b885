import { jsonError } from '@mlango/schemas/errors';
import { ussdLimits } from '@mlango/schemas/ussd';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { z } from 'zod';
import { reportsPath } from '../connectors/message/messages-settings.js';
import { type Reports, takeReports } from '../connectors/message/take-delivery-reports.js';
import { type Callbacks, takeCallback } from '../connectors/webhook/take-callback.js';

const answered = z.object({ result: z.enum(['taken', 'repeated', 'contradictory', 'pending']) });

/** Takes outcomes of acts from webhooks. The signature covers the raw bytes, so the body is not parsed first. */
export async function webhookCallbackRoutes(app: HttpApp, callbacks: Callbacks): Promise<void> {
  await app.register(async (scope: HttpApp) => {
    scope.removeAllContentTypeParsers();
    const types = ['application/json', 'text/plain'];
    scope.addContentTypeParser(types, { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post(
      '/api/ussd/callbacks/:webhook',
      {
        bodyLimit: ussdLimits.accumulatedBodyBytes,
        schema: {
          tags: ['webhooks'],
          operationId: 'reportEffectOutcome',
          summary: 'Report the outcome of an effect',
          description: 'Signed by the webhook in the form of Standard Webhooks.',
          params: z.object({ webhook: z.string().max(60) }),
          response: { 200: answered, ...failures },
        },
      },
      async ({ params, headers, body }) => {
        const text = typeof body === 'string' ? body : '';
        return { result: await takeCallback({ webhook: params.webhook, headers, body: text }, callbacks) };
      },
    );
  });
}

const failures = {
  400: jsonError,
  401: jsonError,
  404: jsonError,
  413: jsonError,
  415: jsonError,
  429: jsonError,
  500: jsonError,
  503: jsonError,
};

/** A provider sends up to a hundred reports in one request. */
const limitBytes = 131_072;

/** Takes delivery reports from the message provider, as a form or as JSON. */
export async function messageReportRoutes(app: HttpApp, reports: Reports): Promise<void> {
  await app.register(async (scope: HttpApp) => {
    scope.removeAllContentTypeParsers();
    const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain'];
    scope.addContentTypeParser(types, { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post(
      reportsPath,
      {
        bodyLimit: limitBytes,
        schema: {
          tags: ['webhooks'],
          operationId: 'reportMessages',
          summary: 'Delivery reports of messages',
          description: 'In the form of the message provider, which sends its secret in the query.',
          querystring: z.object({ secret: z.string().max(200).default('') }),
          response: { 200: z.object({ result: z.literal('taken') }), ...failures },
        },
      },
      async ({ query, body }) => {
        await takeReports(typeof body === 'string' ? body : '', query.secret, reports);
        return { result: 'taken' as const };
      },
    );
  });
}
