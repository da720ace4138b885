import { trace } from '@opentelemetry/api';
import { type Logger, symbols } from 'pino';

/** Has each line of the logger and its children tell the trace and the span that it was written in, by the names that OpenTelemetry has for logs. */
export function tellTraceIds(logger: Logger): void {
  const mixin = () => {
    const span = trace.getActiveSpan()?.spanContext();
    return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
  };
  // The logger is there before anything is traced; children ask their parent for it.
  Object.assign(logger, { [symbols.mixinSym]: mixin });
}
