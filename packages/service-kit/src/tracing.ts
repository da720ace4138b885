import type { FastifyPluginCallback } from 'fastify';
import { noSpans, type Spans } from './tracing/spans.js';
import { within } from './within.js';

export { noSpans, type OpenSpan, type SpanFacts, type Spans } from './tracing/spans.js';

export interface TracingOptions {
  readonly service: string;
  readonly version: string;
  /** Base URL of an OTLP collector over HTTP; undefined switches tracing off. */
  readonly endpoint?: string | undefined;
}

export interface Tracing {
  /** Makes a span for each request; register it before routes. */
  readonly plugin?: FastifyPluginCallback;
  /** Those of one's own. */
  readonly spans: Spans;
  /** Sends what is buffered, at most two seconds long, and stops. */
  shutdown(): Promise<void>;
}

const shutdownLimitMs = 2000;

/**
 * Starts OpenTelemetry when an endpoint is named; without one nothing of it is loaded. A span for each request, named by its method and
 * route, one for each request that this process makes over HTTP by `undici` or `fetch` meanwhile, and none for what lies between. Incoming
 * `traceparent` headers continue the caller's trace, and go out with those requests. Spans carry the route pattern and never a URL, which
 * may hold secrets; of a failure they tell what a log does.
 */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  if (options.endpoint === undefined) return { spans: noSpans, shutdown: async () => {} };
  const [api, otel, undici, sdk, { BatchSpanProcessor }, exporter, resources, { withoutSecrets }, { otelSpans }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@fastify/otel'),
      import('@opentelemetry/instrumentation-undici'),
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('./tracing/clean-spans.js'),
      import('./tracing/otel-spans.js'),
    ]);
  const base = options.endpoint.endsWith('/') ? options.endpoint : `${options.endpoint}/`;
  const toCollector = new exporter.OTLPTraceExporter({ url: new URL('v1/traces', base).href, timeoutMillis: 5000 });
  const provider = new sdk.NodeTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': options.service, 'service.version': options.version }),
    spanProcessors: [new BatchSpanProcessor(withoutSecrets(toCollector))],
  });
  provider.register();
  const incoming = new otel.FastifyOtelInstrumentation({
    instrumentHooks: false,
    instrumentHandler: false,
    requestHook: (span, { method, routeOptions: { url = 'unmatched' } }) => {
      span.updateName(`${method} ${url}`);
      span.setAttribute('http.route', url);
    },
  });
  incoming.setTracerProvider(provider);
  const outgoing = new undici.UndiciInstrumentation({ requireParentforSpans: true });
  outgoing.setTracerProvider(provider);
  const requests: FastifyPluginCallback = (app, _options, done) => {
    void app.register(incoming.plugin() as FastifyPluginCallback);
    // Events of a socket bring a body, and know nothing of the span in which it was waited for.
    app.addHook('preValidation', (request, _reply, next) => {
      const { context } = request.opentelemetry();
      if (context === null) next();
      else api.context.with(context, next);
    });
    done();
  };
  return {
    // Its hooks are for the app that registers it, not for a scope of its own.
    plugin: Object.assign(requests, { [Symbol.for('skip-override')]: true }),
    spans: otelSpans(provider.getTracer(options.service)),
    shutdown: async () => {
      outgoing.disable();
      await within(shutdownLimitMs, 'sending the last spans', provider.shutdown()).catch(() => {});
    },
  };
}
