import { type ServiceError, unavailableStore } from '@mlango/service-kit/errors';
import type { Metrics } from '@mlango/service-kit/metrics';
import { ChainError } from '../connectors/chain/chain-question.js';

/**
 * The outcome of a request of an aggregator.
 *
 *   answered      a screen, also of a running effect, or the end of a session
 *   refused       the caller is unknown (403), or over the limit of an address (429)
 *   limited       the subscriber is over the limit of a phone (429)
 *   invalid       the request cannot be answered
 *   deadline      the hop took too long
 *   unavailable   a back end was unavailable, this process was overloaded, or had a fault
 */
export const hopOutcomes = ['answered', 'refused', 'limited', 'invalid', 'deadline', 'unavailable'] as const;
export type HopOutcome = (typeof hopOutcomes)[number];

/** The failed dependency; `none` for other failures. */
export const dependencies = ['database', 'redis', 'chain', 'none'] as const;
export type Dependency = (typeof dependencies)[number];

/** Whether the gateway failed, so that another process might succeed. */
export function isOurFailure(outcome: HopOutcome): boolean {
  return outcome === 'unavailable' || outcome === 'deadline';
}

/** @param isLimitedByPhone whether the request comes from a listed address, else its address is limited. */
export function outcomeOf({ code, status }: ServiceError, isLimitedByPhone: boolean): HopOutcome {
  if (code === 'permission_denied') return 'refused';
  if (code === 'rate_limited') return isLimitedByPhone ? 'limited' : 'refused';
  if (code === 'deadline_exceeded') return 'deadline';
  return status < 500 ? 'invalid' : 'unavailable';
}

export function dependencyOf(error: ServiceError): Dependency {
  return error instanceof ChainError ? 'chain' : (unavailableStore(error) ?? 'none');
}

/** Counts a request of one aggregator, also if it reached no handler. */
export type CountHop = (outcome: HopOutcome, dependency?: Dependency) => void;

export type HopCounters = (aggregator: string) => CountHop;

/** Records the time from a key to its answer, by tenant. */
export function answerTimes(metrics: Metrics): (tenant: string) => (ms: number) => void {
  const times = metrics.histogram({
    name: 'ussd_service_answer_seconds',
    help: 'Time from a key to the reply, by service.',
    labelNames: ['ussd_service'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
  });
  return (tenant) => {
    const series = times.labels({ ussd_service: tenant });
    return (ms) => series.observe(ms / 1000);
  };
}

/** Counts `ussd_hops_total`, and recent hops for health and readiness. */
export function hopMetrics(metrics: Metrics, recent: { record(outcome: HopOutcome): void }): HopCounters {
  // Answered hops are added at scrape time: the counter builds a text of all labels each time.
  const pending: { readonly series: { inc(times: number): void }; hops: number }[] = [];
  const total = metrics.counter({
    name: 'ussd_hops_total',
    help: 'USSD requests by outcome and failed dependency.',
    labelNames: ['aggregator', 'outcome', 'dependency'],
    collect: () => {
      for (const answered of pending) {
        answered.series.inc(answered.hops);
        answered.hops = 0;
      }
    },
  });
  return (aggregator) => {
    const seriesOf = (outcome: HopOutcome, dependency: Dependency) => total.labels({ aggregator, outcome, dependency });
    // All series start at 0, so that a rate shows the first failure.
    for (const outcome of hopOutcomes) seriesOf(outcome, 'none').inc(0);
    for (const dependency of dependencies) seriesOf('unavailable', dependency).inc(0);
    const answered = { series: seriesOf('answered', 'none'), hops: 0 };
    pending.push(answered);
    return (outcome, dependency = 'none') => {
      if (outcome === 'answered') answered.hops += 1;
      else seriesOf(outcome, dependency).inc();
      recent.record(outcome);
    };
  };
}
