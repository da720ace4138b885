import type { Metrics } from '@mlango/service-kit/metrics';
import { type Dependency, dependencies, type HopOutcome, hopOutcomes } from './hop-outcome.js';
import type { RecentHops } from './recent-hops.js';

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
      recent.saw(outcome);
    };
  };
}
