import { z } from 'zod';

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
