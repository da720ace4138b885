import { randomUUID } from 'node:crypto';
import { within } from '@mlango/async/within';
import type { FastifyPluginCallback } from 'fastify';
import type { Logger } from 'pino';
import { noSpans, type Spans } from './spans.js';

export { noSpans, type OpenSpan, type SpanFacts, type Spans } from './spans.js';

export interface TracingOptions {
  readonly service: string;
  readonly version: string;
  /** Its lines get `trace_id` and `span_id`. */
  readonly logger: Logger;
  readonly config: {
    readonly NODE_ENV: string;
    readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
    readonly OTEL_RESOURCE_ATTRIBUTES: Readonly<Record<string, string>>;
    readonly OTEL_TRACES_SAMPLER_ARG: number;
  };
  /** Time limit of `shutdown` for sending buffered spans, in ms. Default 2,000. */
  readonly shutdownLimitMs?: number;
}

export interface Tracing {
  /** Creates a span for each request; register it before routes. */
  readonly plugin?: FastifyPluginCallback;
  /** Starts spans of the application. */
  readonly spans: Spans;
  /** Sends buffered spans, within the limit, and stops. */
  shutdown(): Promise<void>;
}

const defaultShutdownLimitMs = 2000;

/**
 * Starts OpenTelemetry if an endpoint is configured; without one nothing of it is loaded and no client is instrumented. Creates a
 * span for each request, and a child for each call that it makes: over HTTP by `undici` or `fetch`, over gRPC, to Redis and to a
 * Postgres server. Incoming `traceparent` headers continue the caller's trace, and are sent with calls over HTTP and gRPC;
 * baggage is not. Sampling depends on the trace id, equally in all services: a caller cannot force or prevent recording. Spans
 * carry route patterns and statements without parameters, never a URL, a key or a value; failures carry the same fields as in the
 * log.
 */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const { service, version, logger, config, shutdownLimitMs = defaultShutdownLimitMs } = options;
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return { spans: noSpans, shutdown: async () => {} };
  const [{ addTraceIds, startProvider }, { clientSpans }, { requestSpans }, { otelSpans }] = await Promise.all([
    import('./provider.js'),
    import('./client-calls.js'),
    import('./request-spans.js'),
    import('./otel-spans.js'),
  ]);
  const provider = startProvider({
    endpoint,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    resource: {
      'service.instance.id': randomUUID(),
      'deployment.environment.name': config.NODE_ENV,
      ...config.OTEL_RESOURCE_ATTRIBUTES,
      'service.name': service,
      'service.version': version,
    },
  });
  const tracer = provider.getTracer('@mlango/service-kit', version);
  const stop = clientSpans(provider, tracer);
  addTraceIds(logger);
  return {
    plugin: requestSpans(tracer),
    spans: otelSpans(tracer),
    shutdown: async () => {
      stop();
      await within(shutdownLimitMs, 'sending the last spans', provider.shutdown()).catch(() => {});
    },
  };
}
