import { jsonError } from '@mlango/schemas/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { z } from 'zod';
import { reportsPath } from '../connectors/message/messages-settings.js';
import { type Reports, takeReports } from '../connectors/message/take-reports.js';

/** A provider puts a hundred reports into one request. */
const limitBytes = 131_072;

/** Where the provider of messages reports what became of them: a form or JSON, as it has them. */
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
          description: 'In the form of the provider of messages, which shows its secret in the query.',
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

const failures = {
  ...{ 400: jsonError, 401: jsonError, 404: jsonError, 413: jsonError, 415: jsonError },
  ...{ 429: jsonError, 500: jsonError, 503: jsonError },
};
