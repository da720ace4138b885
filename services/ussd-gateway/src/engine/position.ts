import type { Choices, Flow, TextKey } from './flow.js';

/** Where a session stands in its flow: enough, with the flow, to print the same screen again. */
export interface Position {
  readonly state: string;
  readonly language: string;
  readonly choices: Choices;
  /** The page shown, from 0. */
  readonly page: number;
  /** Why the last input was refused, and on which page of the screen that was. */
  readonly notice?: { readonly text: TextKey; readonly page: number } | undefined;
}

/** Where a fresh dial stands. */
export function startOf(flow: Flow, language: string = flow.defaultLanguage): Position {
  return { state: flow.start, language, choices: {}, page: 0 };
}
