/** What a span may be told of: values of an attribute as OpenTelemetry has them. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** A span that has begun. */
export interface OpenSpan {
  /** What others follow it by, as the header `traceparent` has it; undefined where nothing is traced. */
  readonly traceparent: string | undefined;
  set(facts: SpanFacts): void;
  /** Says that what it stands for failed, by a name that few share, such as a code. */
  fail(type: string): void;
}

/** Spans beside those of requests: each lies in the one in which it was begun, and ends with its work. */
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
  /** `client`: the work is somebody else's. `internal` unless given. */
  readonly kind?: 'client' | 'internal';
  /** A span that it goes on from and is no part of, for that one has ended: it is linked to. */
  readonly follows?: string | undefined;
}

const unseen: OpenSpan = { traceparent: undefined, set: () => undefined, fail: () => undefined };

/** Where nothing is traced. */
export const noSpans: Spans = { within: (_name, _facts, work) => work(unseen) };
