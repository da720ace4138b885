import type { Tracer } from '@opentelemetry/api';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import type { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { channelSpans } from './channel-spans.js';
import { grpcCalls } from './grpc-calls.js';
import { postgresCalls } from './postgres-calls.js';
import { redisCalls } from './redis-calls.js';

/** Spans of what this process calls, from now on until what is returned is called. */
export function clientSpans(provider: NodeTracerProvider, tracer: Tracer): () => void {
  const http = new UndiciInstrumentation({ requireParentforSpans: true });
  http.setTracerProvider(provider);
  const stops = [
    channelSpans(tracer, redisCalls),
    channelSpans(tracer, postgresCalls),
    channelSpans(tracer, grpcCalls),
    () => http.disable(),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
