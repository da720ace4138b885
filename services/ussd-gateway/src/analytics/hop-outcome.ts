import { type ServiceError, unavailableStore } from '@mlango/service-kit/errors';
import { ChainError } from '../connectors/chain/chain-question.js';

/**
 * What a request of an aggregator came to.
 *
 *   answered      a screen, that of an effect under way included, or the end of a session
 *   refused       its caller was not let in: not known (403), or over the limit of an address (429)
 *   limited       its subscriber was over the limit of a phone (429)
 *   invalid       it was nothing that could be answered
 *   deadline      it was not done in time
 *   unavailable   a back end was away, this process was overloaded, or there was a fault in it
 */
export const hopOutcomes = ['answered', 'refused', 'limited', 'invalid', 'deadline', 'unavailable'] as const;
export type HopOutcome = (typeof hopOutcomes)[number];

/** What stood in its way; `none` where it was none of them. */
export const dependencies = ['database', 'redis', 'chain', 'none'] as const;
export type Dependency = (typeof dependencies)[number];

/** Whether it was this side that failed, and another process might have done better. */
export function isOurFailure(outcome: HopOutcome): boolean {
  return outcome === 'unavailable' || outcome === 'deadline';
}

/** @param isGateway whether its caller is known by address, and so limited by phone alone. */
export function outcomeOf({ code, status }: ServiceError, isGateway: boolean): HopOutcome {
  if (code === 'permission_denied') return 'refused';
  if (code === 'rate_limited') return isGateway ? 'limited' : 'refused';
  if (code === 'deadline_exceeded') return 'deadline';
  return status < 500 ? 'invalid' : 'unavailable';
}

export function dependencyOf(error: ServiceError): Dependency {
  return error instanceof ChainError ? 'chain' : (unavailableStore(error) ?? 'none');
}
