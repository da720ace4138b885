import type { Choices, Facts, Flow, TextKey } from './flow.js';

/** A place in a flow that a later dial may take up again: neither within a secret step nor behind a log-in. */
export interface Place {
  readonly state: string;
  readonly language: string;
  readonly choices: Choices;
  /** The page shown, from 0. */
  readonly page: number;
  /** What was typed or found out and is still needed, by name. */
  readonly entries?: Facts | undefined;
}

/** Where a session stands in its flow: enough, with the flow, to print the same screen again. Holds no secret. */
export interface Position extends Place {
  /** The customer id of a subscriber who is logged in. */
  readonly account?: string | undefined;
  /** Why the last input was refused, or what it did, and on which page of the screen that was. */
  readonly notice?: { readonly text: TextKey; readonly page: number; readonly facts?: Facts | undefined } | undefined;
  /** The key of the effect that is under way, on the screen that says so. */
  readonly underWay?: string | undefined;
  /** The place that is offered, where it is. */
  readonly resume?: Place | undefined;
}

/** Where a fresh dial stands. */
export function startOf(flow: Flow, language: string = flow.defaultLanguage): Position {
  const spoken = Object.hasOwn(flow.texts, language) ? language : flow.defaultLanguage;
  return { state: flow.start, language: spoken, choices: {}, page: 0 };
}
