import { startTraceCollector } from '@mlango/test-services/trace-collector';
import { afterEach } from 'vitest';
import { Readiness } from '../http/health.js';
import { createHttpApp, type HttpApp } from '../http/index.js';
import { createLogger } from '../logging/index.js';
import { createMetrics } from '../metrics/metrics.js';
import { startTracing, type TracingOptions } from './index.js';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

export async function startCollector() {
  const collector = await startTraceCollector();
  cleanups.push(() => collector.close());
  return collector;
}

/** A process with or without tracing: its app and its log, until the test ends. */
export async function tracedProcess(config: Partial<TracingOptions['config']>) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'traced', level: 'info', destination });
  const tracing = await startTracing({
    service: 'traced',
    version: '1.2.3',
    logger,
    // On a busy machine sending the spans takes longer.
    shutdownLimitMs: 15_000,
    config: { NODE_ENV: 'test', OTEL_RESOURCE_ATTRIBUTES: {}, OTEL_TRACES_SAMPLER_ARG: 1, ...config },
  });
  const app: HttpApp = await createHttpApp({
    version: '1.2.3',
    logger,
    trustProxy: false,
    bodyLimitBytes: 1024,
    readiness: new Readiness({}),
    metrics: createMetrics({ service: 'traced', version: '1.2.3' }),
    metricsAccess: { open: true },
    tracing: tracing.plugin,
  });
  cleanups.push(() => tracing.shutdown());
  cleanups.push(() => app.close());
  return { app, tracing, logger, lines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}
