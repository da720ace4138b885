/** Attributes of a span: the value types of OpenTelemetry. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** A span that has begun. */
export interface OpenSpan {
  /** What others follow it by, as the header `traceparent` has it; undefined where nothing is traced. */
  readonly traceparent: string | undefined;
  set(facts: SpanFacts): void;
  /** Marks the span as failed, with a name of low cardinality, such as a code. */
  fail(type: string): void;
}

/** Creates spans within those of requests: each is a child of the span in which it was begun, and ends with its work. */
export interface Spans {
  /** Does the work within a span. Where it rejects, the span has failed. */
  within<Done>(
    name: string,
    facts: SpanFacts,
    work: (span: OpenSpan) => Promise<Done>,
    about?: SpanAbout,
  ): Promise<Done>;
}

export interface SpanAbout {
  /** `client`: another service does the work. Default: `internal`. */
  readonly kind?: 'client' | 'internal';
  /** A span that it goes on from and is no part of, for that one has ended: it is linked to. */
  readonly follows?: string | undefined;
}

const unseen: OpenSpan = { traceparent: undefined, set: () => undefined, fail: () => undefined };

/** Where nothing is traced. */
export const noSpans: Spans = { within: (_name, _facts, work) => work(unseen) };
