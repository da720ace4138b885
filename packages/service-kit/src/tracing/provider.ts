import { type Attributes, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider, ParentBasedSampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-node';
import { type Logger, symbols } from 'pino';
import { cleanMessage, framesOf } from '../logging/serialize-error.js';

export interface ProviderOptions {
  /** Base URL of a collector for OTLP over HTTP. */
  readonly endpoint: string;
  /** Fraction of traces to record, from 0 to 1. */
  readonly ratio: number;
  readonly resource: Attributes;
}

/** Registers the process's tracer provider, which sends spans to a collector. */
export function startProvider({ endpoint, ratio, resource }: ProviderOptions): NodeTracerProvider {
  const base = endpoint.endsWith('/') ? endpoint : `${endpoint}/`;
  const toCollector = new OTLPTraceExporter({ url: new URL('v1/traces', base).href, timeoutMillis: 5000 });
  const byTraceId = new TraceIdRatioBasedSampler(ratio);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes(resource),
    sampler: new ParentBasedSampler({
      root: byTraceId,
      remoteParentSampled: byTraceId,
      remoteParentNotSampled: byTraceId,
    }),
    spanProcessors: [new BatchSpanProcessor(withoutSecrets(toCollector))],
  });
  // No baggage: callers could inject values into calls to other services.
  provider.register({ propagator: new W3CTraceContextPropagator() });
  return provider;
}

/** Wraps an exporter to redact spans like logs: drivers put statement parameters into error messages, and URLs may contain secrets. */
function withoutSecrets(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(cleanSpan), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function cleanSpan(span: ReadableSpan): ReadableSpan {
  const { message } = span.status;
  const events = span.events.map((event) => ({ ...event, attributes: cleanFailure(event.attributes ?? {}) }));
  const status = message === undefined ? span.status : { ...span.status, message: cleanMessage(message) };
  const { 'url.full': _full, 'url.path': _path, 'url.query': _query, ...attributes } = span.attributes;
  return Object.create(span, {
    attributes: { value: attributes },
    events: { value: events },
    status: { value: status },
  }) as ReadableSpan;
}

function cleanFailure({ 'exception.message': message, 'exception.stacktrace': stack, ...others }: Attributes) {
  return {
    ...others,
    ...(message === undefined ? {} : { 'exception.message': cleanMessage(String(message)) }),
    ...(stack === undefined ? {} : { 'exception.stacktrace': framesOf(String(stack), String(message ?? '')) }),
  };
}

/** Adds `trace_id` and `span_id` of the active span to each line of the logger and its children. */
export function addTraceIds(logger: Logger): void {
  const mixin = () => {
    const span = trace.getActiveSpan()?.spanContext();
    return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
  };
  // The logger exists before tracing starts; children read the mixin from their parent.
  Object.assign(logger, { [symbols.mixinSym]: mixin });
}
