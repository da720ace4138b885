import type { HttpApp } from '@mlango/service-kit/http-app';
import { requireThisPage } from '../routes/from-this-page.js';
import { forward } from './forward.js';

export interface UssdDoor {
  readonly url: string;
  /** By which the gateway knows its aggregator, where it asks for one. */
  readonly secret?: string | undefined;
}

/** The handset's way: this server stands where a telecom aggregator does. */
export function ussdDoor(app: HttpApp, { url, secret }: UssdDoor): Promise<void> {
  return forward(app, {
    url,
    prefix: '/ussd',
    methods: ['POST'],
    allows: (path) => path === '/api/ussd',
    headers: secret === undefined ? {} : { 'x-aggregator-secret': secret },
    check: requireThisPage,
  });
}
