import { z } from 'zod';
import { lists } from './declarations.js';
import type { Flow } from './flow.js';

/** Values by name. */
export const named = z.record(z.string(), z.string()).readonly();

/** A place in a flow that a later dial may take up again: neither within a secret step nor behind a log-in. */
export const place = z
  .object({
    state: z.string(),
    language: z.string(),
    choices: named,
    /** The page shown, from 0. */
    page: z.int().min(0),
    /** What was typed or found out and is still needed, by name. */
    entries: named.optional(),
    /** The lists that a screen ahead offers, as they were shown. */
    lists: lists.optional(),
  })
  .readonly();
export type Place = z.infer<typeof place>;

/** Where a session stands in its flow: enough, with the flow, to print the same screen again. Holds no secret. */
export const position = z
  .object({
    ...place.unwrap().shape,
    /** The customer id of a subscriber who is logged in. */
    account: z.string().optional(),
    /** Why the last input was refused, or what it did, and on which page of the screen that was. */
    notice: z
      .object({ text: z.string(), page: z.int().min(0), facts: named.optional() })
      .readonly()
      .optional(),
    /** The key of the effect that is under way, on the screen that says so. */
    underWay: z.string().optional(),
    /** The place that is offered, where it is. */
    resume: place.optional(),
  })
  .readonly();
export type Position = z.infer<typeof position>;

/** What an effect tells of its outcome. */
export const effectOutcome = z
  .object({
    /** One of the effect's results. */
    result: z.string(),
    /** Values for texts; a screen keeps those it names. */
    facts: named.optional(),
    lists: lists.optional(),
    /** The customer id of who is now logged in. */
    account: z.string().optional(),
    /** The language to go on in. */
    language: z.string().optional(),
  })
  .readonly();
export type EffectOutcome = z.infer<typeof effectOutcome>;

/** Where a fresh dial stands. */
export function startOf(flow: Flow, language: string = flow.defaultLanguage): Position {
  const spoken = Object.hasOwn(flow.texts, language) ? language : flow.defaultLanguage;
  return { state: flow.start, language: spoken, choices: {}, page: 0 };
}
