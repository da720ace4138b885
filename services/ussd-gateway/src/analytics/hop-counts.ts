import { type ServiceError, unavailableStore } from '@mlango/service-kit/errors';
import type { Metrics } from '@mlango/service-kit/metrics';
import { ChainError } from '../connectors/chain/chain-question.js';
import type { RecentHops } from './recent-hops.js';

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

/** Counts a request of one aggregator, whether it reached a handler or not. */
export type CountHop = (outcome: HopOutcome, dependency?: Dependency) => void;

export type HopCounts = (aggregator: string) => CountHop;

/** `ussd_hops_total` since the start, and the latest hops for health and readiness. */
export function hopCounts(metrics: Metrics, recent: RecentHops): HopCounts {
  // What is counted at every hop waits until somebody reads it: the counter makes a text of all labels each time.
  const unread: { readonly series: { inc(times: number): void }; hops: number }[] = [];
  const total = metrics.counter({
    name: 'ussd_hops_total',
    help: 'Requests of aggregators, by what they came to and by what stood in the way.',
    labelNames: ['aggregator', 'outcome', 'dependency'],
    collect: () => {
      for (const answered of unread) {
        answered.series.inc(answered.hops);
        answered.hops = 0;
      }
    },
  });
  return (aggregator) => {
    const seriesOf = (outcome: HopOutcome, dependency: Dependency) => total.labels({ aggregator, outcome, dependency });
    // All series begin at 0: of one that begins with its first failure, no rate tells that failure.
    for (const outcome of hopOutcomes) seriesOf(outcome, 'none').inc(0);
    for (const dependency of dependencies) seriesOf('unavailable', dependency).inc(0);
    const answered = { series: seriesOf('answered', 'none'), hops: 0 };
    unread.push(answered);
    return (outcome, dependency = 'none') => {
      if (outcome === 'answered') answered.hops += 1;
      else seriesOf(outcome, dependency).inc();
      recent.record(outcome);
    };
  };
}
