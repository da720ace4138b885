import { ServiceError } from '@mlango/service-kit/errors';
import type { Asked } from '../aggregators/adapter.js';
import { closeSession } from '../sessions/close-session.js';
import { lineOf, serviceOn } from '../sessions/line.js';
import type { SessionStore } from '../sessions/session-store.js';
import type { LastDialled } from './last-dialled.js';
import type { ServedCodes } from './served-codes.js';
import type { ServedServices } from './served-services.js';
import type { Service } from './service.js';
import { defaultService } from './services-file.js';

export interface Routing {
  readonly services: ServedServices;
  readonly lastDialled: LastDialled;
  readonly sessions: SessionStore;
  readonly codes: ServedCodes;
}

type Hop = Extract<Asked, { kind: 'hop' }>;

export interface RoutedHop {
  readonly service: Service;
  /** The hop as its service takes it. */
  readonly asked: Hop;
  /** What has to be kept before the hop may go on. */
  readonly noted?: Promise<void>;
}

/**
 * Finds the service of a hop: by its service code, else by the last code dialled in this session, else by the code that the hop may dial.
 * Synchronous if the default service is the only one. Undefined where a hop without a code belongs to no session that is known.
 * @throws {ServiceError} `invalid_argument` for a code that is not served, and for a dial without a code where there are several.
 */
export function serviceOf(
  asked: Hop,
  aggregator: string,
  routing: Routing,
): RoutedHop | Promise<RoutedHop | undefined> {
  const { services, codes } = routing;
  const isOfDefault = codes.isOfDefault(asked.serviceCode, asked.press?.dials === true);
  const { only } = services;
  return only !== undefined && isOfDefault
    ? { service: only, asked }
    : findService(asked, aggregator, routing, isOfDefault);
}

async function findService(
  asked: Hop,
  aggregator: string,
  { services, lastDialled }: Routing,
  isOfDefault: boolean,
): Promise<RoutedHop | undefined> {
  const { sessionId, phoneNumber, serviceCode, press } = asked;
  const key = { aggregator, sessionId, phoneNumber };
  if (serviceCode !== '' || press?.dials === true) {
    const service = services.dialled(serviceCode);
    if (service === undefined || (service.id === defaultService && !isOfDefault)) throw notServed();
    return { service, asked, noted: lastDialled.note(key, service.id) };
  }
  const dialled = press?.mayDial && services.dialled(press.mayDial.serviceCode);
  const last = services.find((await lastDialled.find(key)) ?? '');
  if (last === undefined && dialled !== undefined)
    return { service: dialled, asked, noted: lastDialled.note(key, dialled.id) };
  const service = last ?? services.find(defaultService);
  // A session that was lost is not begun anew by an input that is the code of another service.
  const isItsOwn = press === undefined || dialled === service;
  return service && { service, asked: isItsOwn ? asked : { ...asked, press: { ...press, mayDial: undefined } } };
}

function notServed(): ServiceError {
  return new ServiceError('invalid_argument', 'This service code is not served here');
}

type Close = Omit<Extract<Asked, { kind: 'close' }>, 'kind'> & { readonly aggregator: string };

/** Ends the session of an id, in the service that was dialled last under it. False where none is live. */
export async function endSession(
  { aggregator, sessionId, phoneNumber }: Close,
  { services, lastDialled, sessions }: Omit<Routing, 'codes'>,
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
