import {
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client';

/** The Prometheus metrics of one process. A separate registry, so that two apps in one process do not clash. */
export interface Metrics {
  readonly registry: Registry;
  counter<Label extends string>(options: Omit<CounterConfiguration<Label>, 'registers'>): Counter<Label>;
  gauge<Label extends string>(options: Omit<GaugeConfiguration<Label>, 'registers'>): Gauge<Label>;
  /** Durations are in seconds, as Prometheus has them. */
  histogram<Label extends string>(options: Omit<HistogramConfiguration<Label>, 'registers'>): Histogram<Label>;
}

/** Creates the registry, with the process's own metrics (CPU, memory, event loop lag, garbage collection). */
export function createMetrics(options: { service: string; version: string }): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service: options.service });
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'service_build_info',
    help: 'Always 1; the version is a label.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: options.version }, 1);
  return {
    registry,
    counter: (configuration) => new Counter({ ...configuration, registers: [registry] }),
    gauge: (configuration) => new Gauge({ ...configuration, registers: [registry] }),
    histogram: (configuration) => new Histogram({ ...configuration, registers: [registry] }),
  };
}

/** A gauge that is read at each scrape. */
export function readGauge(metrics: Pick<Metrics, 'gauge'>, name: string, help: string, read: () => number): Gauge {
  return metrics.gauge({
    name,
    help,
    collect() {
      this.set(read());
    },
  });
}
