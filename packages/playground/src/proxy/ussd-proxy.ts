import type { HttpApp } from '@mlango/service-kit/http-app';
import { requireSameOrigin } from '../routes/same-origin.js';
import { forward } from './forward.js';

export interface UssdProxy {
  readonly url: string;
  /** Aggregator secret of the gateway, if it requires one. */
  readonly secret?: string | undefined;
  /** Whether the page has a handset, which can be any subscriber. */
  readonly handset: boolean;
}

/** The simulator routes that the page may use. */
const changeable = /^\/simulator\/(place|expire|language|dialogue)$/;
const readable = /^\/simulator\/(map|screens\/[^/]+)$/;

/** Linking requires proof of identity and a code of the phone, not the handset. */
const linked = { POST: /^\/api\/ussd\/link(\/codes)?$/, GET: /^\/api\/ussd\/link$/ };

/** Timeout of the simulator's settings. */
const settingsMs = 5_000;

/** The USSD routes: linking, and the handset, for which this server acts as a telecom aggregator. */
export async function ussdProxy(app: HttpApp, { url, secret, handset }: UssdProxy): Promise<void> {
  const way = {
    url,
    prefix: '/ussd',
    headers: secret === undefined ? {} : { 'x-aggregator-secret': secret },
    check: requireSameOrigin,
  };
  const pressed = (path: string) => path === '/api/ussd' || changeable.test(path);
  await forward(app, {
    ...way,
    methods: ['POST'],
    allows: (path) => linked.POST.test(path) || (handset && pressed(path)),
  });
  await forward(app, {
    ...way,
    methods: ['GET'],
    allows: (path) => linked.GET.test(path) || (handset && readable.test(path)),
  });
  if (!handset) return;
  app.get('/ussd/simulator/settings', async (request, reply) => {
    requireSameOrigin(request);
    const signal = AbortSignal.timeout(settingsMs);
    const found = await fetch(`${url}/simulator/settings`, { signal }).catch(() => undefined);
    // A gateway without a simulator, as in production, must not cause an error in the browser.
    if (found?.ok !== true) return reply.code(204).send();
    return reply.type('application/json').send(await found.text());
  });
}
