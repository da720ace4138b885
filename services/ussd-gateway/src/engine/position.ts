import { z } from 'zod';
import { lists } from './declarations.js';
import type { Flow } from './flow.js';

/** Values by name. */
export const named = z.record(z.string(), z.string()).readonly();

/** Identifies a flow, with its version and revision. */
export const flowName = z.object({ id: z.string(), version: z.int(), revision: z.string().optional() }).readonly();
export type FlowName = z.infer<typeof flowName>;

/** The name of a flow, as records and effects have it. */
export function flowNameOf({ id, version, revision }: Flow): FlowName {
  return revision === undefined ? { id, version } : { id, version, revision };
}

/** Place in a flow that a later dial may resume: neither within a secret step nor behind a log-in. */
export const place = z
  .object({
    state: z.string(),
    language: z.string(),
    choices: named,
    /** Current page, from 0. */
    page: z.int().min(0),
    /** Values typed or found out that are still needed, by name. */
    entries: named.optional(),
    /** Lists that a later screen offers, as they were shown. */
    lists: lists.optional(),
  })
  .readonly();
export type Place = z.infer<typeof place>;

/** Position of a session in its flow: together with the flow, it renders the same screen again. Contains no secret. */
export const position = z
  .object({
    ...place.unwrap().shape,
    /** Customer id of the logged-in subscriber. */
    account: z.string().optional(),
    /** Reason of a refused input, or result of an input, with the page of the screen it belongs to. */
    notice: z
      .object({ text: z.string(), page: z.int().min(0), facts: named.optional() })
      .readonly()
      .optional(),
    /** Key of the pending effect, on the screen that shows it. */
    underWay: z.string().optional(),
    /** Place offered to resume, if any. */
    resume: place.optional(),
  })
  .readonly();
export type Position = z.infer<typeof position>;

/** Outcome of an effect. */
export const effectOutcome = z
  .object({
    /** One of the effect's results. */
    result: z.string(),
    /** Values for texts; a screen keeps those that it names. */
    facts: named.optional(),
    lists: lists.optional(),
    /** Customer id of the subscriber now logged in. */
    account: z.string().optional(),
    /** Language to continue in. */
    language: z.string().optional(),
  })
  .readonly();
export type EffectOutcome = z.infer<typeof effectOutcome>;

/** Position of a new dial. */
export function startOf(flow: Flow, language: string = flow.defaultLanguage): Position {
  const known = Object.hasOwn(flow.texts, language) ? language : flow.defaultLanguage;
  return { state: flow.start, language: known, choices: {}, page: 0 };
}
