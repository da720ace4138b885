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
  readonly facts: Readonly<Record<string, unknown>>;
}

interface Export {
  readonly resourceSpans: {
    readonly scopeSpans: {
      readonly spans: (Omit<SentSpan, 'facts'> & { attributes: { key: string; value: Value }[] })[];
    }[];
  }[];
}

/** An OTLP collector over HTTP, on a port of its own, that keeps what it is sent. */
export async function startTraceCollector() {
  const received: string[] = [];
  const paths: string[] = [];
  const parents: unknown[] = [];
  const server = createServer((request, reply) => {
    paths.push(request.url ?? '');
    parents.push(request.headers['traceparent']);
    void text(request).then((body) => {
      received.push(body);
      reply.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Bodies, where each was sent, and the span it was sent in. */
    ...{ received, paths, parents },
    /** In the order in which they ended. */
    spans: () => received.flatMap(spansIn),
    close: () => server.close(),
  };
}

function spansIn(body: string): SentSpan[] {
  return (JSON.parse(body) as Export).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, ...span }) => ({
        ...span,
        facts: Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)])),
      })),
    ),
  );
}

function plain({ stringValue, intValue, arrayValue }: Value): unknown {
  return arrayValue === undefined ? (stringValue ?? intValue) : arrayValue.values.map(plain);
}
