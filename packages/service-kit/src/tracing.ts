import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { FastifyPluginCallback } from 'fastify';
import { cleanMessage, framesOf } from './logging/serialize-error.js';
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
 * continue the caller's trace. Spans carry the route pattern and never the URL, whose query may hold secrets; of a failure they
 * tell what a log does.
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
        withoutSecrets(new exporter.OTLPTraceExporter({ url: new URL('v1/traces', base).href, timeoutMillis: 5000 })),
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

type Span = Parameters<SpanExporter['export']>[0][number];

/** Drivers put the parameters of a statement into the messages of their errors. */
function withoutSecrets(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(cleanSpan), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function cleanSpan(span: Span): Span {
  const { message } = span.status;
  const events = span.events.map((event) => ({ ...event, attributes: cleanFailure(event.attributes ?? {}) }));
  const status = message === undefined ? span.status : { ...span.status, message: cleanMessage(message) };
  return Object.create(span, { events: { value: events }, status: { value: status } }) as Span;
}

function cleanFailure(attributes: NonNullable<Span['events'][number]['attributes']>) {
  const { 'exception.message': message, 'exception.stacktrace': stack, ...others } = attributes;
  return {
    ...others,
    ...(message === undefined ? {} : { 'exception.message': cleanMessage(message) }),
    ...(stack === undefined ? {} : { 'exception.stacktrace': framesOf(String(stack), String(message ?? '')) }),
  };
}
