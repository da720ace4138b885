import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Value = { readonly stringValue?: string; readonly intValue?: number; readonly arrayValue?: { values: Value[] } };

export interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly status: { readonly code?: number };
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly facts: Readonly<Record<string, unknown>>;
  /** Attributes of the process that sent it. */
  readonly resource: Readonly<Record<string, unknown>>;
}

type Attributes = readonly { readonly key: string; readonly value: Value }[];

interface Export {
  readonly resourceSpans: {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: {
      readonly spans: (Omit<SentSpan, 'facts' | 'resource'> & { readonly attributes: Attributes })[];
    }[];
  }[];
}

/** An OTLP collector over HTTP, on a port of its own, that stores the spans it receives. */
export async function startTraceCollector() {
  const received: string[] = [];
  const paths: string[] = [];
  const parents: unknown[] = [];
  const baggage: unknown[] = [];
  const server = createServer((request, reply) => {
    paths.push(request.url ?? '');
    parents.push(request.headers['traceparent']);
    baggage.push(request.headers['baggage']);
    void text(request).then((body) => {
      received.push(body);
      reply.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Bodies, their paths, the parent spans, and their baggage. */
    received,
    paths,
    parents,
    baggage,
    /** In the order in which they ended. */
    spans: () => received.flatMap(spansIn),
    close: () => server.close(),
  };
}

function spansIn(body: string): SentSpan[] {
  return (JSON.parse(body) as Export).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, ...span }) => ({
        ...span,
        facts: plainly(attributes),
        resource: plainly(resource.attributes),
      })),
    ),
  );
}

function plainly(attributes: Attributes): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
}

function plain({ stringValue, intValue, arrayValue }: Value): unknown {
  return arrayValue === undefined ? (stringValue ?? intValue) : arrayValue.values.map(plain);
}
