import { jsonError } from '@mlango/schemas/errors';
import { ussdAnalytics, ussdAnalyticsQuery } from '@mlango/schemas/ussd-analytics';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { operatorOnly } from '@mlango/service-kit/operator-access';
import { readReport } from '../analytics/read-report.js';
import type { Deps } from '../deps.js';

/** `GET /api/ussd/analytics`: how people move through the menus. */
export function analyticsRoute(app: HttpApp, { analytics, config }: Deps): void {
  app.get(
    '/api/ussd/analytics',
    {
      preHandler: operatorOnly({ token: config.OPERATOR_TOKEN, open: config.NODE_ENV !== 'production' }),
      schema: {
        tags: ['operators'],
        security: [{ operator: [] }],
        summary: 'Visits, drop-off and median times of each screen',
        querystring: ussdAnalyticsQuery,
        response: {
          200: ussdAnalytics,
          400: jsonError,
          401: jsonError,
          429: jsonError,
          500: jsonError,
          503: jsonError,
        },
      },
    },
    (request) => readReport(analytics, request.query.hours),
  );
}
