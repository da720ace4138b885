/** Attributes of a span: the value types of OpenTelemetry. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** A span that has begun. */
export interface OpenSpan {
  /** The value of the header `traceparent` for other processes; undefined without tracing. */
  readonly traceparent: string | undefined;
  set(facts: SpanFacts): void;
  /** Marks the span as failed, with a name of low cardinality, such as a code. */
  fail(type: string): void;
}

/** Creates spans within those of requests: each is a child of the span in which it was begun, and ends with its work. */
export interface Spans {
  /** Runs the work within a span. If the work rejects, the span has failed. */
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
  /** An ended span that this one continues; it is linked. */
  readonly follows?: string | undefined;
}

const unseen: OpenSpan = { traceparent: undefined, set: () => undefined, fail: () => undefined };

/** Used without tracing. */
export const noSpans: Spans = { within: (_name, _facts, work) => work(unseen) };
