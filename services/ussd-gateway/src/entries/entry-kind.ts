import type { ZodRawShape, z } from 'zod';
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
