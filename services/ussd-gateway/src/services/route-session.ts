import { ServiceError } from '@mlango/service-kit/errors';
import type { Asked } from '../aggregators/aggregator.js';
import { closeSession } from '../sessions/close-session.js';
import { lineOf, serviceOn } from '../sessions/line.js';
import type { SessionStore } from '../sessions/session-store.js';
import type { LastDialled } from './last-dialled.js';
import type { ServedServices } from './served-services.js';
import type { Service } from './service.js';
import { defaultService } from './services-file.js';

export interface Routing {
  readonly services: ServedServices;
  readonly lastDialled: LastDialled;
  readonly sessions: SessionStore;
  /** The codes that the default service takes; any without one. */
  readonly codes: readonly string[];
}

type Hop = Extract<Asked, { kind: 'hop' }>;

export interface RoutedHop {
  readonly service: Service;
  /** What has to be kept before the hop may go on. */
  readonly noted?: Promise<void>;
}

/**
 * Whose a hop is: by its code; where it has none, and is no dial, by what was dialled last under its id. Known at once where there is one
 * service alone.
 * @throws {ServiceError} `invalid_argument` for a code that is not served.
 */
export function serviceOf(asked: Hop, aggregator: string, routing: Routing): RoutedHop | Promise<RoutedHop> {
  const { services, codes } = routing;
  const isKnown = codes.length === 0 || asked.serviceCode === '' || codes.includes(asked.serviceCode);
  const only = services.only;
  return only !== undefined && isKnown ? { service: only } : serviceDialled(asked, aggregator, routing, isKnown);
}

async function serviceDialled(
  { sessionId, phoneNumber, serviceCode, press }: Hop,
  aggregator: string,
  { services, lastDialled }: Routing,
  isKnown: boolean,
): Promise<RoutedHop> {
  const key = { aggregator, sessionId, phoneNumber };
  const service =
    serviceCode === '' && press?.dials !== true
      ? services.find((await lastDialled.find(key)) ?? defaultService)
      : services.dialled(serviceCode);
  if (service === undefined || (service.id === defaultService && !isKnown))
    throw new ServiceError('invalid_argument', 'This service code is not served here');
  return serviceCode === '' ? { service } : { service, noted: lastDialled.note(key, service.id) };
}

/** Ends the session of an id, in the service that was dialled last under it. False where none is live. */
export async function endSession(
  {
    aggregator,
    sessionId,
    phoneNumber,
  }: Omit<Extract<Asked, { kind: 'close' }>, 'kind'> & { readonly aggregator: string },
  { services, lastDialled, sessions }: Routing,
): Promise<boolean> {
  if (phoneNumber === undefined) {
    // Some gateways do not say whose session is over; an id alone finds the one who was last to press a key.
    const lines = services.all.map(({ id }) => lineOf(aggregator, id));
    const found = await sessions.findLive(sessionId, lines);
    if (found === undefined) return false;
    const service = services.find(serviceOn(found.aggregator));
    return service !== undefined && closeSession(found, service.hops);
  }
  const key = { aggregator, sessionId, phoneNumber };
  const service = services.only ?? services.find((await lastDialled.find(key)) ?? defaultService);
  return service !== undefined && closeSession({ ...key, aggregator: lineOf(aggregator, service.id) }, service.hops);
}
