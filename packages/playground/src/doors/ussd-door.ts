import type { HttpApp } from '@mlango/service-kit/http-app';
import { requireThisPage } from '../routes/from-this-page.js';
import { forward } from './forward.js';

export interface UssdDoor {
  readonly url: string;
  /** By which the gateway knows its aggregator, where it asks for one. */
  readonly secret?: string | undefined;
}

/** What the gateway's simulator does for the page, where it has one. */
const done = /^\/simulator\/(place|expire|language|dialogue)$/;
const told = /^\/simulator\/(map|screens\/[^/]+)$/;

/** How long the gateway may take to say what its simulator is like. */
const settingsMs = 5_000;

/** The handset's way: this server stands where a telecom aggregator does. */
export async function ussdDoor(app: HttpApp, { url, secret }: UssdDoor): Promise<void> {
  const way = {
    url,
    prefix: '/ussd',
    headers: secret === undefined ? {} : { 'x-aggregator-secret': secret },
    check: requireThisPage,
  };
  await forward(app, { ...way, methods: ['POST'], allows: (path) => path === '/api/ussd' || done.test(path) });
  await forward(app, { ...way, methods: ['GET'], allows: (path) => told.test(path) });
  app.get('/ussd/simulator/settings', async (request, reply) => {
    requireThisPage(request);
    const signal = AbortSignal.timeout(settingsMs);
    const found = await fetch(`${url}/simulator/settings`, { signal }).catch(() => undefined);
    // That a gateway has none, as in production, is no fault for a browser to complain of.
    if (found?.ok !== true) return reply.code(204).send();
    return reply.type('application/json').send(await found.text());
  });
}
