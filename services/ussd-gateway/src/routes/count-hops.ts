import type { Metrics } from '@mlango/service-kit/metrics';
import type { HopAnswer } from '../sessions/answer-hop.js';

/** Counts an answered hop of one aggregator. */
export type CountHop = (answer: Pick<HopAnswer, 'kind' | 'state'>) => void;

/** `ussd_hops_total`. There are as many series as screens and kinds of hops: each is looked up once, not at every hop. */
export function countHops(metrics: Metrics): (aggregator: string) => CountHop {
  const hops = metrics.counter({
    name: 'ussd_hops_total',
    help: 'Hops by who sent them, what they were and the screen they led to.',
    labelNames: ['aggregator', 'kind', 'state'],
  });
  return (aggregator) => {
    const series = new Map<string, ReturnType<typeof hops.labels>>();
    return ({ kind, state = 'none' }) => {
      const name = `${kind} ${state}`;
      let one = series.get(name);
      if (one === undefined) {
        one = hops.labels({ aggregator, kind, state });
        series.set(name, one);
      }
      one.inc();
    };
  };
}
