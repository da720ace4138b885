import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { cleanMessage, framesOf } from '../logging/serialize-error.js';

/** The exporter, given spans that hold nothing a log may not: drivers put the parameters of a statement into the messages of their errors, and a URL may hold anything. */
export function withoutSecrets(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(cleanSpan), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

type Attributes = ReadableSpan['attributes'];

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
