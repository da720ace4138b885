import { type ZodRawShape, z } from 'zod';
import type { EntryRule } from '../engine/flow.js';

/** A kind of text that a screen can ask for, by the name a flow gives it. */
export interface EntryKind<Shape extends ZodRawShape = ZodRawShape> {
  /** What a flow says of it beside its name, such as a range. */
  readonly settings: Shape;
  /** The value goes to an operation or the next screen, and is neither kept nor printed. */
  readonly secret?: boolean;
  /** It is compared with the secret typed on the screen before. */
  readonly holdsSecret?: boolean;
  /** The names of all the ways in which it refuses. */
  readonly refusals: readonly string[];
  readonly make: (settings: z.output<z.ZodObject<Shape>>) => {
    readonly read: EntryRule['read'];
    /** The refusals that are possible with these settings; all of them without it. */
    readonly refusals?: readonly string[];
    /** Its longest values: each of them may be the longest in one alphabet. A secret has none. */
    readonly longest: readonly string[];
  };
}

/** Keeps the type of its settings. */
export function entryKind<Shape extends ZodRawShape>(kind: EntryKind<Shape>): EntryKind<Shape> {
  return kind;
}

/** A whole number as YAML writes it. @param atLeast,atMost both allowed. */
export function wholeNumber(atLeast: number, atMost: number) {
  const says = `must be a whole number from ${atLeast} to ${atMost}`;
  return z
    .string({ error: says })
    .refine((text) => /^[0-9]{1,15}$/.test(text) && Number(text) >= atLeast && Number(text) <= atMost, says)
    .transform(Number)
    .meta({ type: 'integer', minimum: atLeast, maximum: atMost });
}

/** `true` or `false` as YAML writes it. */
export const yesOrNo = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((text) => text === 'true')
  .meta({ type: 'boolean' });
