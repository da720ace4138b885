import { jsonError } from '@mlango/schemas/errors';
import { ussdAnalytics, ussdAnalyticsQuery } from '@mlango/schemas/ussd-analytics';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { readReport } from '../analytics/read-report.js';
import type { Deps } from '../deps.js';
import type { ForOperators } from './for-operators.js';

/** `GET /api/ussd/analytics`: how people move through the menus. */
export function analyticsRoute(app: HttpApp, { analytics }: Deps, common: ForOperators): void {
  app.get(
    '/api/ussd/analytics',
    {
      preHandler: common.preHandler,
      schema: {
        ...common.described,
        summary: 'Visits, drop-off and median times of each screen',
        querystring: ussdAnalyticsQuery,
        response: { 200: ussdAnalytics, 400: jsonError, ...common.failures },
      },
    },
    (request) => readReport(analytics, request.query.hours),
  );
}
