import { jsonError } from '@mlango/schemas/errors';
import { phoneNumberPattern, ussdSessionId } from '@mlango/schemas/ussd';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { z } from 'zod';
import { mountedAggregators } from '../aggregator-settings.js';
import { type AggregatorId, aggregatorIds } from '../aggregators/registry.js';
import type { Deps } from '../deps.js';
import { endSession } from '../services/route-session.js';
import { readPages } from '../simulator/pages.js';

/** What the page can be, where the endpoint that a gateway of this kind calls is mounted. */
const names: Readonly<Record<AggregatorId, string>> = {
  canonical: 'Canonical JSON',
  africastalking: "Africa's Talking",
  hubtel: 'Hubtel',
  arkesel: 'Arkesel',
  nalo: 'Nalo',
  infobip: 'Infobip',
  comviva: 'Airtel (Comviva)',
};

/** A handset in the browser. It calls the same endpoints as a telecom gateway does. */
export function simulatorRoutes(app: HttpApp, deps: Deps): void {
  const schema = { hide: true } as const;
  const [first] = deps.services.all;
  const languages = Object.keys(first?.hops.rules.flows[0].texts ?? {});
  const routing = { ...deps, codes: deps.config.SERVICE_CODES };
  for (const { path, type, body } of readPages()) {
    app.get(path, { config: { probe: true }, schema }, (_request, reply) =>
      reply.header('cache-control', 'no-cache').type(type).send(body),
    );
  }

  app.get('/simulator/settings', { config: { probe: true }, schema }, () => ({
    appName: deps.config.APP_NAME,
    serviceCode: '*384#',
    phoneNumber: '+260971230567',
    languages,
    aggregators: mountedAggregators(deps.config).map((id) => ({ id, name: names[id] })),
  }));

  const phoneNumber = z.string().regex(phoneNumberPattern);
  const failures = { 400: jsonError, 429: jsonError, 500: jsonError, 503: jsonError };

  app.post(
    '/simulator/expire',
    {
      schema: {
        hide: true,
        body: z.object({ aggregator: z.enum(aggregatorIds), sessionId: ussdSessionId, phoneNumber }),
        response: { 200: z.object({ expired: z.boolean() }), ...failures },
      },
    },
    async (request) => ({ expired: await endSession(request.body, routing) }),
  );

  app.post(
    '/simulator/language',
    {
      schema: {
        hide: true,
        body: z.object({ phoneNumber, language: z.enum(languages) }),
        response: { 200: z.object({ language: z.string() }), ...failures },
      },
    },
    async ({ body }) => {
      // As if the subscriber had chosen it in the menu: it is stored, and stays with the phone.
      await deps.accounts.setLanguage(body.phoneNumber, body.language);
      return { language: body.language };
    },
  );
}
