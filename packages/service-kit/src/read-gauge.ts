import type { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

/** A gauge that is read when somebody looks at it. */
export function readGauge(metrics: Pick<Metrics, 'gauge'>, name: string, help: string, read: () => number): Gauge {
  return metrics.gauge({
    name,
    help,
    collect() {
      this.set(read());
    },
  });
}
