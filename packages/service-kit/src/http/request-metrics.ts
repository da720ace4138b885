import { Histogram, type MetricObjectWithValues, type MetricValueWithName, type Registry } from 'prom-client';
import { z } from 'zod';
import type { Metrics } from '../metrics/metrics.js';
import { limitMet } from './error-funnel.js';
import type { HttpApp } from './http-app-type.js';
import { type OperatorAccess, operatorOnly } from './operator-access.js';

type Label = 'method' | 'route' | 'status';

const name = 'http_request_duration_seconds';

/** Seconds; fine in the range of USSD hops and queries, coarse in the range of chat turns. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const description = {
  name,
  help: 'From the first byte of a request to the last of its reply.',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: bounds,
};

interface Series {
  readonly labels: Record<Label, string>;
  /** Durations by the first bound they do not exceed. */
  readonly counts: number[];
  count: number;
  sumSeconds: number;
}

/**
 * The duration of requests. The base histogram concatenates all labels at every observation; this one looks up the series by
 * label and adds to plain numbers, and formats them only when metrics are read.
 */
export class RequestDurations extends Histogram<Label> {
  readonly #series = new Map<string, Map<string, Map<number, Series>>>();

  /** Provides the description only, and holds no values. */
  readonly #described = new Histogram({ ...description, registers: [] });

  constructor(registry: Registry) {
    super({ ...description, registers: [registry] });
  }

  count(method: string, route: string, status: number, seconds: number): void {
    const byMethod = getOr(this.#series, route, () => new Map<string, Map<number, Series>>());
    const byStatus = getOr(byMethod, method, () => new Map<number, Series>());
    const series = getOr(byStatus, status, () => emptySeries({ method, route, status: String(status) }));
    series.count += 1;
    series.sumSeconds += seconds;
    const index = bounds.findIndex((bound) => seconds <= bound);
    if (index >= 0) series.counts[index] = (series.counts[index] ?? 0) + 1;
  }

  override async get(): Promise<MetricObjectWithValues<MetricValueWithName<Label>>> {
    const all = [...this.#series.values()].flatMap((byMethod) =>
      [...byMethod.values()].flatMap((byStatus) => [...byStatus.values()]),
    );
    return { ...(await this.#described.get()), values: all.flatMap((series) => this.#valuesOf(series)) };
  }

  /** Values for the registry at a scrape. */
  getForPromString(): Promise<MetricObjectWithValues<MetricValueWithName<Label>>> {
    return this.get();
  }

  #valuesOf({ labels, counts, count, sumSeconds }: Series): MetricValueWithName<Label>[] {
    let below = 0;
    const buckets = bounds.map((bound, index) => {
      below += counts[index] ?? 0;
      return bucketOf(labels, bound, below);
    });
    return [
      ...buckets,
      bucketOf(labels, '+Inf', count),
      { labels, value: sumSeconds, metricName: `${name}_sum` },
      { labels, value: count, metricName: `${name}_count` },
    ];
  }
}

function bucketOf(series: Record<Label, string>, le: number | string, value: number): MetricValueWithName<Label> {
  const labels = { ...series, le };
  return { labels, value, metricName: `${name}_bucket` };
}

function emptySeries(labels: Record<Label, string>): Series {
  return { labels, counts: bounds.map(() => 0), count: 0, sumSeconds: 0 };
}

function getOr<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/**
 * Measures every request by route pattern, so that ids in paths make no new series, counts refused requests, and serves the metrics at
 * `GET /metrics`.
 */
export function metricsRoute(app: HttpApp, metrics: Metrics, access: OperatorAccess): void {
  const durations = new RequestDurations(metrics.registry);
  const refused = metrics.counter({
    name: 'requests_refused_total',
    help: 'Refused requests by limit: caller, address, credits, another; or process overload.',
    labelNames: ['limiter'],
  });
  // Starts at 0: a rate misses the first refusal of a new series.
  for (const limiter of ['caller', 'address', 'overload']) refused.inc({ limiter }, 0);
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route = 'unmatched' } = request.routeOptions;
    durations.count(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    const limiter = limitMet(request);
    if (limiter !== undefined) refused.inc({ limiter });
    done();
  });
  app.get(
    '/metrics',
    {
      config: { probe: true },
      onRequest: operatorOnly(access),
      schema: { hide: true, response: { 200: z.string() } },
    },
    async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
}
