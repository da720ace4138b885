/** Expectation of an answer. */
export type Expected =
  | { readonly kind: 'says' | 'never says'; readonly pattern: RegExp }
  /** With these arguments, as text; further arguments are ignored. */
  | { readonly kind: 'calls'; readonly tool: string; readonly args: Readonly<Record<string, string>> }
  | { readonly kind: 'never calls'; readonly tool: string }
  | { readonly kind: 'calls nothing' }
  | { readonly kind: 'within'; readonly most: number; readonly unit: 'seconds' | 'tokens' };

/** An expectation with its source line. */
export interface WrittenExpectation {
  /** From 1. */
  readonly line: number;
  readonly words: string;
  readonly expected: Expected;
}

/** One message, and the expectations of its answer. */
export interface WrittenTurn {
  readonly line: number;
  readonly message: string;
  readonly expectations: readonly WrittenExpectation[];
}

export interface Dialogue {
  readonly title: string;
  readonly turns: readonly WrittenTurn[];
}
