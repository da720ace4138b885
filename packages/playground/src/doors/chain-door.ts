import type { HttpApp } from '@mlango/service-kit/http-app';
import { forward } from './forward.js';

export interface ChainDoor {
  readonly url: string;
  /** For a query gateway that asks who calls. */
  readonly apiKey?: string | undefined;
}

/** What the gateway serves beside queries and their description. */
const notAQuery = /^\/+(health|metrics|revocations|docs(?!\/json$))/i;

/** The explorer's way to the query gateway: every query, and the description of them all. */
export function chainDoor(app: HttpApp, { url, apiKey }: ChainDoor): Promise<void> {
  return forward(app, {
    url,
    prefix: '/chain',
    methods: ['GET'],
    allows: (path) => !notAQuery.test(path),
    headers: apiKey === undefined ? {} : { 'x-api-key': apiKey },
  });
}
