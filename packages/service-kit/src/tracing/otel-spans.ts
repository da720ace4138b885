import { type Link, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { OpenSpan, SpanFacts, Spans } from './spans.js';

/** Spans of OpenTelemetry. */
export function otelSpans(tracer: Tracer): Spans {
  return {
    within: (name, facts, work, { kind = 'internal', follows } = {}) => {
      const options = {
        kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
        attributes: attributesOf(facts),
        links: linksTo(follows),
      };
      return tracer.startActiveSpan(name, options, async (span) => {
        try {
          return await work(openSpan(span));
        } catch (error) {
          if (error instanceof Error) span.recordException(error);
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      });
    },
  };
}

function openSpan(span: Span): OpenSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-0${traceFlags.toString(16)}`,
    set: (facts) => void span.setAttributes(attributesOf(facts)),
    fail: (type) => {
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
  };
}

function linksTo(traceparent: string | undefined): Link[] {
  const context = traceparent === undefined ? null : parseTraceParent(traceparent);
  return context === null ? [] : [{ context: { ...context, isRemote: true } }];
}

function attributesOf(facts: SpanFacts): Record<string, string | number | boolean | string[]> {
  const defined = Object.entries(facts).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(defined.map(([name, value]) => [name, typeof value === 'object' ? [...value] : value]));
}
