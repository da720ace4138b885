import { type ZodType, z } from 'zod';

export interface ChainQuestion<Answer> {
  /** Segments of a path of the query gateway. Each is escaped: what a user typed stays one segment. */
  readonly path: readonly string[];
  /** What the reply must look like, and what is taken from it. */
  readonly answer: ZodType<Answer>;
}

/** Asks the chain, by way of the query gateway. */
export interface ChainReader {
  /**
   * One question, limited in time and size.
   *
   * @returns the answer; undefined when the chain has nothing of that name.
   * @throws {ServiceError} `unavailable` when the gateway or the chain is away, late, or has no such path;
   *   `internal` when the reply is not what was asked for.
   */
  read<Answer>(question: ChainQuestion<Answer>): Promise<Answer | undefined>;
}

/** The result of an operation whose list has no items. */
export const emptyList = 'empty';

/** A list that a flow declares has this many items at most: their keys are typed, and 98 and 99 turn pages. */
export const mostItems = 50;

/** All lists of a flow together have this many characters at their longest: a session stores them. */
export const mostListChars = 4000;

/**
 * A field of the items of a list. A `text` is printed and may be cut; an `id` and an `amount` are passed on unchanged; a `word` is one of `words`,
 * which lines can depend on.
 */
export const listField = z
  .object({
    kind: z.enum(['text', 'id', 'amount', 'word']),
    /** The most UTF-16 units of a value. */
    chars: z.number(),
    words: z.array(z.string()).optional(),
  })
  .readonly();
export type ListField = z.infer<typeof listField>;

/** A list that a result of an operation gives. */
export const declaredList = z
  .object({
    name: z.string(),
    /** Items at most. */
    most: z.number(),
    fields: z.record(z.string(), listField),
  })
  .readonly();
export type DeclaredList = z.infer<typeof declaredList>;

/** Lists that operations gave, by name: of each item all declared fields. */
export const lists = z.record(z.string(), z.array(z.record(z.string(), z.string()).readonly()).readonly()).readonly();
export type Lists = z.infer<typeof lists>;

/** What a flow declares of something that somebody outside of this process does or tells. */
export const call = z
  .object({
    /** Of those that the operator has set up. */
    webhook: z.string(),
    operation: z.string(),
    /** Facts that go along. */
    sends: z.array(z.string()),
    /** The most characters of each fact, by result. */
    gives: z.record(z.string(), z.record(z.string(), z.number())),
    /** The list that a result gives in addition to its facts, by result. */
    lists: z.record(z.string(), declaredList).optional(),
  })
  .readonly();
export type Call = z.infer<typeof call>;

/** The effect of all acts of a webhook: a subscriber has one of them under way at a time. */
export function webhookEffect(webhook: string): string {
  return `webhook ${webhook}`;
}
