import type { Attributes } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider, ParentBasedSampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-node';
import { withoutSecrets } from './clean-spans.js';

export interface ProviderOptions {
  /** Base URL of a collector that takes OTLP over HTTP. */
  readonly endpoint: string;
  /** Part of the traces that is kept, from 0 to 1. */
  readonly ratio: number;
  readonly resource: Attributes;
}

/** Sends spans to a collector, and is the one that this process has for contexts and their headers. */
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
  // Not baggage: what callers make up would go on to whomever is called.
  provider.register({ propagator: new W3CTraceContextPropagator() });
  return provider;
}
