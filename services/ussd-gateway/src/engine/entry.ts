import type { EffectUse, Facts, Landing } from './landing.js';

/** What an entry rule may look at besides the text itself. */
export interface EntryContext {
  /** The facts of the session, what was typed before among them. */
  readonly facts: Facts;
  /** The secret of the screen before, where the screen holds one. */
  readonly held: string | undefined;
}

/** Says whether a text is what was asked for. Pure. */
export interface EntryRule {
  /** The names of all the ways in which it refuses. */
  readonly refusals: readonly string[];
  /** The value in the form in which it is kept, or why it is refused. */
  readonly read: (typed: string, context: EntryContext) => { readonly value: string } | { readonly refusal: string };
}

/** The text that a screen asks for. */
export interface Entry {
  /** The value is known under this name, unless it is secret. */
  readonly name: string;
  /** A secret is never kept: it goes to the effect, or is held sealed for the next screen alone. */
  readonly secret: boolean;
  readonly rule: EntryRule;
  /** The longest values that it takes; of a secret none, since nothing prints it. */
  readonly longest: readonly string[];
  /** Where each refusal of the rule leads. */
  readonly refusals: Readonly<Record<string, Landing>>;
  readonly next: { readonly to: string } | EffectUse;
}
