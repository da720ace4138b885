import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { jsonError } from '@mlango/schemas/errors';
import { phoneNumberPattern, ussdSessionId } from '@mlango/schemas/ussd';
import { ussdAnalyticsMaxHours } from '@mlango/schemas/ussd-analytics';
import { ussdFlowMap } from '@mlango/schemas/ussd-flow-map';
import {
  ussdPrintedScreen,
  ussdRecording,
  ussdSimulatorPlace,
  ussdSimulatorSettings,
  ussdWrittenTranscript,
} from '@mlango/schemas/ussd-simulator';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { z } from 'zod';
import { mountedAggregators } from '../aggregator-settings.js';
import type { Deps } from '../deps.js';
import { longestPage, writtenPages } from '../engine/check/screen-pages.js';
import { scoped } from '../session-scope.js';
import { endSession } from '../tenants/route-session.js';
import type { Tenant } from '../tenants/tenant.js';
import { writeTranscript } from '../transcripts/write-transcript.js';

const phoneNumber = z.string().regex(phoneNumberPattern);
const serviceCode = z.string().max(100);
const failures = { 400: jsonError, 429: jsonError, 500: jsonError, 503: jsonError };
const hide = { hide: true } as const;

/** A simulated handset in the browser, with the map of the flow. It calls the same endpoints as an aggregator. */
export function simulatorRoutes(app: HttpApp, deps: Deps): void {
  for (const { path, type, body } of readPages()) {
    app.get(path, { config: { probe: true }, schema: hide }, (_request, reply) =>
      reply.header('cache-control', 'no-cache').type(type).send(body),
    );
  }
  phoneRoutes(app, deps);
  flowRoutes(app, deps);
}

/** @throws {ServiceError} `not_found` for a code that no tenant has. */
function dialled({ tenants }: Deps, serviceCode: string): Tenant {
  const service = tenants.dialled(serviceCode);
  if (service === undefined) throw new ServiceError('not_found', 'No service has this code');
  return service;
}

/** Settings, position and language of the simulated phone. */
function phoneRoutes(app: HttpApp, deps: Deps): void {
  const { config, tenants, sessions, accounts } = deps;
  const aggregator = z.enum(config.aggregators.aggregators.map(({ id }) => id));
  const session = z.object({ aggregator, sessionId: ussdSessionId, phoneNumber });
  const [first] = tenants.all;
  const languages = Object.keys(first?.hops.rules.flows[0].texts ?? {});
  app.get(
    '/simulator/settings',
    { config: { probe: true }, schema: { ...hide, response: { 200: ussdSimulatorSettings } } },
    () => ({
      appName: config.flows.APP_NAME,
      languages,
      aggregators: mountedAggregators(config.aggregators).map(({ id, name }) => ({ id, name })),
    }),
  );

  app.post(
    '/simulator/place',
    {
      schema: {
        ...hide,
        body: session.extend({ serviceCode }),
        response: { 200: ussdSimulatorPlace, 404: jsonError, ...failures },
      },
    },
    async ({ body }) => {
      const line = scoped(body.aggregator, dialled(deps, body.serviceCode).id);
      const live = await sessions.findLive(body.sessionId, [line]);
      if (live?.phoneNumber !== body.phoneNumber) return {};
      return { flow: { id: live.flow.id, version: live.flow.version }, screen: live.position.state };
    },
  );

  app.post(
    '/simulator/expire',
    { schema: { ...hide, body: session, response: { 200: z.object({ expired: z.boolean() }), ...failures } } },
    async (request) => ({ expired: await endSession(request.body, deps) }),
  );

  const choice = z.object({ phoneNumber, language: z.enum(languages) });
  app.post(
    '/simulator/language',
    { schema: { ...hide, body: choice, response: { 200: z.object({ language: z.string() }), ...failures } } },
    async ({ body }) => {
      // The same as a choice in the menu: it is stored for the phone.
      await accounts.setLanguage(body.phoneNumber, body.language);
      return { language: body.language };
    },
  );
}

/** The map, the screens and transcripts of the dialled flow. */
function flowRoutes(app: HttpApp, deps: Deps): void {
  const code = z.object({ code: serviceCode });
  app.get(
    '/simulator/map',
    { schema: { ...hide, querystring: code, response: { 200: ussdFlowMap, 404: jsonError, ...failures } } },
    ({ query }) => {
      const { analytics, hops } = dialled(deps, query.code);
      return analytics.map(ussdAnalyticsMaxHours, hops.rules);
    },
  );

  app.get(
    '/simulator/screens/:screen',
    {
      schema: {
        ...hide,
        params: z.object({ screen: z.string() }),
        querystring: code.extend({ flow: z.string(), version: z.coerce.number() }),
        response: { 200: ussdPrintedScreen, 404: jsonError, ...failures },
      },
    },
    ({ params, query }) => {
      const { flows, facts } = dialled(deps, query.code).hops.rules;
      const flow = flows.find(({ id, version }) => id === query.flow && version === query.version);
      const screen = flow && Object.hasOwn(flow.screens, params.screen) ? flow.screens[params.screen] : undefined;
      if (flow === undefined || screen === undefined) throw new ServiceError('not_found', 'There is no such screen');
      const languages = Object.keys(flow.texts).map((language) => {
        const wanted = { state: params.screen, screen, language };
        return { language, pages: writtenPages(flow, wanted, facts), longest: longestPage(flow, wanted, facts) };
      });
      return { screen: params.screen, languages };
    },
  );

  app.post(
    '/simulator/dialogue',
    {
      bodyLimit: 128 * 1024,
      schema: { ...hide, body: ussdRecording, response: { 200: ussdWrittenTranscript, 404: jsonError, ...failures } },
    },
    ({ body }) => {
      const { flows, facts } = dialled(deps, body.serviceCode).hops.rules;
      return writeTranscript(body, flows[0], facts);
    },
  );
}

/** A file of the simulator page. */
export interface Page {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

const { resolve } = createRequire(import.meta.url);

const files = [
  { path: '/simulator', file: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/simulator/simulator.css', file: 'simulator.css', type: 'text/css; charset=utf-8' },
  { path: '/simulator/simulator.js', file: 'simulator.js', type: 'text/javascript; charset=utf-8' },
] as const;

/** Reads the page once, at start. It is not deployed: production refuses the simulator. */
function readPages(): Page[] {
  return files.map(({ path, file, type }) => {
    return { path, type, body: readFileSync(resolve(`@mlango/ussd-workbench/page/${file}`)) };
  });
}
