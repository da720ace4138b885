import { z } from 'zod';
import { missingFact, unanswered } from '../../effects/intent.js';
import type { Call } from '../../engine/declarations.js';
import type { EffectOutcome } from '../../engine/position.js';
import { listOfResult } from '../../engine/screen-options.js';
import { jsonIn } from '../json-in.js';
import { readList } from '../lists.js';
import { printable } from '../run-query.js';

/** A definite answer stays definite whatever its details are: those that cannot be used count as absent. */
const answer = z.object({
  status: z.enum(['done', 'pending', 'refused']),
  /** One of those that the flow declares; the status itself where it is left out. */
  outcome: z.string().nullish(),
  facts: z.record(z.string(), z.unknown()).catch({}),
  /** Of a pending one: when it is worth asking. */
  askAgainSeconds: z.number().min(1).max(3600).optional().catch(undefined),
});

/** What a webhook said. `unusable` is whatever cannot be used, and why, in words that hold none of it. */
export type WebhookResponse =
  | {
      readonly kind: 'done' | 'refused';
      readonly outcome: EffectOutcome;
      /** What of it was left out, for the log. */
      readonly leftOut?: string;
    }
  | { readonly kind: 'pending'; readonly askAgainMs: number | undefined }
  | { readonly kind: 'unusable'; readonly why: string };

/**
 * Reads an answer by what the flow declares: an outcome that it does not know is none. Of the facts those that are declared are kept, as one
 * line each that is no longer than declared; one that is left out, or is neither a text nor a number nor a truth value, is a dash. A declared list
 * has to be as it was declared.
 */
export function readAnswer(text: string, call: Call): WebhookResponse {
  const parsed = answer.safeParse(jsonIn(text));
  if (!parsed.success) return { kind: 'unusable', why: 'is no answer of a webhook' };
  const { status, facts, askAgainSeconds } = parsed.data;
  const outcome = parsed.data.outcome || status;
  if (status === 'pending') {
    return { kind: 'pending', askAgainMs: askAgainSeconds === undefined ? undefined : askAgainSeconds * 1000 };
  }
  const declared = Object.hasOwn(call.gives, outcome) && outcome !== unanswered ? call.gives[outcome] : undefined;
  if (declared === undefined) return { kind: 'unusable', why: 'has an outcome that the flow does not declare' };
  const told = Object.entries(declared).map(([name, chars]) => {
    const given = Object.hasOwn(facts, name) ? factOf(facts[name], chars) : '';
    return [name, given === '' ? missingFact : given];
  });
  const result = { result: outcome, facts: Object.fromEntries(told) };
  const list = listOfResult(call, outcome);
  if (list === undefined) return { kind: status, outcome: result };
  const read = readList(Object.hasOwn(facts, list.name) ? facts[list.name] : undefined, list);
  if ('why' in read) return { kind: 'unusable', why: read.why };
  const { items, surplus } = read;
  return {
    kind: status,
    outcome: { ...result, lists: { [list.name]: items } },
    ...(surplus > 0 && { leftOut: `${surplus} of the items of "${list.name}"` }),
  };
}

function factOf(value: unknown, chars: number): string {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isText ? printable(String(value), chars) : '';
}
