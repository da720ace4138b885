import type { FastifyPluginCallback } from 'fastify';
import { within } from './within.js';

export interface TracingOptions {
  readonly service: string;
  readonly version: string;
  /** Base URL of an OTLP collector over HTTP; undefined switches tracing off. */
  readonly endpoint?: string | undefined;
}

export interface Tracing {
  /** Makes a span for each request; register it before routes. */
  readonly plugin?: FastifyPluginCallback;
  /** Sends what is buffered, at most two seconds long, and stops. */
  shutdown(): Promise<void>;
}

const shutdownLimitMs = 2000;

/**
 * Starts OpenTelemetry when an endpoint is named; without one nothing of it is loaded. Incoming `traceparent` headers
 * continue the caller's trace. Spans carry the route pattern and never the URL, whose query may hold secrets.
 */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  if (options.endpoint === undefined) return { shutdown: async () => {} };
  const [{ FastifyOtelInstrumentation }, { NodeTracerProvider }, { BatchSpanProcessor }, exporter, resources] =
    await Promise.all([
      import('@fastify/otel'),
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const base = options.endpoint.endsWith('/') ? options.endpoint : `${options.endpoint}/`;
  const provider = new NodeTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': options.service, 'service.version': options.version }),
    spanProcessors: [
      new BatchSpanProcessor(
        new exporter.OTLPTraceExporter({ url: new URL('v1/traces', base).href, timeoutMillis: 5000 }),
      ),
    ],
  });
  provider.register();
  const instrumentation = new FastifyOtelInstrumentation({
    requestHook: (span, request) => {
      span.setAttribute('url.path', request.routeOptions.url ?? 'unmatched');
    },
  });
  instrumentation.setTracerProvider(provider);
  return {
    plugin: instrumentation.plugin() as FastifyPluginCallback,
    shutdown: () => within(shutdownLimitMs, 'sending the last spans', provider.shutdown()).catch(() => {}),
  };
}
