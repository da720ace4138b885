import type { FairSemaphore } from '@mlango/async/fair-semaphore';
import type { Metrics } from '../metrics/metrics.js';

/** Metrics of shared pools: `shared_pool_units`, `shared_pool_waiting`, `shared_pool_refusals_total`, by pool. */
export function semaphoreMetrics(
  metrics: Pick<Metrics, 'gauge' | 'counter'>,
  semaphores: readonly FairSemaphore<string>[],
): void {
  metrics.gauge({
    name: 'shared_pool_units',
    help: 'Units of a shared pool: those taken, and the limit.',
    labelNames: ['pool', 'state'],
    collect() {
      for (const { name, taken, total } of semaphores) {
        this.set({ pool: name, state: 'taken' }, taken);
        this.set({ pool: name, state: 'limit' }, total);
      }
    },
  });
  metrics.gauge({
    name: 'shared_pool_waiting',
    help: 'Callers that wait for units of a shared pool.',
    labelNames: ['pool'],
    collect() {
      for (const { name, waiting } of semaphores) this.set({ pool: name }, waiting);
    },
  });
  metrics.counter({
    name: 'shared_pool_refusals_total',
    help: 'Refusals of a shared pool by limit: total, or share of a user or an address.',
    labelNames: ['pool', 'limit'],
    collect() {
      this.reset();
      for (const { name, refused } of semaphores) {
        for (const [limit, count] of refused) this.inc({ pool: name, limit }, count);
      }
    },
  });
}
