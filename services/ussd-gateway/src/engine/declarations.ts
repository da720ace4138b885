import { type ZodType, z } from 'zod';

export interface ChainQuestion<Answer> {
  /** Segments of a path of the query gateway. Each is escaped, so that typed text stays one segment. */
  readonly path: readonly string[];
  /** Schema of the reply, and the fields taken from it. */
  readonly answer: ZodType<Answer>;
}

/** Queries the chain through the query gateway. */
export interface ChainReader {
  /**
   * Sends one query, limited in time and size.
   *
   * @returns the answer; undefined if the chain has no such entry.
   * @throws {ServiceError} `unavailable` if the gateway or the chain is unavailable, times out, or lacks the path;
   * `internal` if the reply does not match the schema.
   */
  read<Answer>(question: ChainQuestion<Answer>): Promise<Answer | undefined>;
}

/** The result of an operation with an empty list. */
export const emptyList = 'empty';

/** Most items of a declared list: their keys are typed, and 98 and 99 turn pages. */
export const mostItems = 50;

/** Most characters of all lists of a flow together: a session stores them. */
export const mostListChars = 4000;

/**
 * Field of the items of a list. A `text` is printed and may be cut; an `id` and an `amount` are passed on unchanged; a
 * `word` is one of `words`, and lines can depend on it.
 */
export const listField = z
  .object({
    kind: z.enum(['text', 'id', 'amount', 'word']),
    /** Most UTF-16 units of a value. */
    chars: z.number(),
    words: z.array(z.string()).optional(),
  })
  .readonly();
export type ListField = z.infer<typeof listField>;

/** List that a result of an operation returns. */
export const declaredList = z
  .object({
    name: z.string(),
    /** Most items. */
    most: z.number(),
    fields: z.record(z.string(), listField),
  })
  .readonly();
export type DeclaredList = z.infer<typeof declaredList>;

/** Lists returned by operations, by name: all declared fields of each item. */
export const lists = z.record(z.string(), z.array(z.record(z.string(), z.string()).readonly()).readonly()).readonly();
export type Lists = z.infer<typeof lists>;

/** Declaration of an external operation in a flow. */
export const call = z
  .object({
    /** One of the configured webhooks. */
    webhook: z.string(),
    operation: z.string(),
    /** Facts that are sent. */
    sends: z.array(z.string()),
    /** The most characters of each fact, by result. */
    gives: z.record(z.string(), z.record(z.string(), z.number())),
    /** The list that a result returns in addition to its facts, by result. */
    lists: z.record(z.string(), declaredList).optional(),
  })
  .readonly();
export type Call = z.infer<typeof call>;

/** Effect of all acts of a webhook: a subscriber has one of them pending at a time. */
export function webhookEffect(webhook: string): string {
  return `webhook ${webhook}`;
}
