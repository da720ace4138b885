import { type ZodRawShape, z } from 'zod';
import type { EntryRule } from '../engine/flow.js';

/** A kind of text that a screen can request, by its name in flows. */
export interface EntryKind<Shape extends ZodRawShape = ZodRawShape> {
  /** Its settings in a flow besides the name, such as a range. */
  readonly settings: Shape;
  /** The value goes to an operation or the next screen, and is neither stored nor printed. */
  readonly secret?: boolean;
  /** It is compared with the secret typed on the previous screen. */
  readonly holdsSecret?: boolean;
  /** Names of all refusal reasons. */
  readonly refusals: readonly string[];
  readonly make: (settings: z.output<z.ZodObject<Shape>>) => {
    readonly read: EntryRule['read'];
    /** Possible refusals with these settings; all of them by default. */
    readonly refusals?: readonly string[];
    /** Longest values, one for each alphabet. A secret has none. */
    readonly longest: readonly string[];
  };
}

/** Preserves the type of its settings. */
export function entryKind<Shape extends ZodRawShape>(kind: EntryKind<Shape>): EntryKind<Shape> {
  return kind;
}

/**
 * A whole number in YAML.
 *
 * @param atLeast,atMost inclusive.
 */
export function wholeNumber(atLeast: number, atMost: number) {
  const description = `must be a whole number from ${atLeast} to ${atMost}`;
  return z
    .string({ error: description })
    .refine((text) => /^[0-9]{1,15}$/.test(text) && Number(text) >= atLeast && Number(text) <= atMost, description)
    .transform(Number)
    .meta({ type: 'integer', minimum: atLeast, maximum: atMost });
}

/** `true` or `false` in YAML. */
export const yesOrNo = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((text) => text === 'true')
  .meta({ type: 'boolean' });
