import { parseJson, withoutByteOrderMark } from '@mlango/service-kit/parse-json';
import { z } from 'zod';
import { missingFact, unanswered } from '../../effects/effect.js';
import type { Call } from '../../engine/declarations.js';
import type { EffectOutcome } from '../../engine/position.js';
import { listOfResult } from '../../engine/screen-options.js';
import { readList } from '../lists.js';
import { printable } from '../run-query.js';

/** A definite answer stays definite despite unusable details: those count as absent. */
const answer = z.object({
  status: z.enum(['done', 'pending', 'refused']),
  /** A result declared by the flow; the status itself if absent. */
  outcome: z.string().nullish(),
  facts: z.record(z.string(), z.unknown()).catch({}),
  /** For a pending act: delay until the next poll. */
  askAgainSeconds: z.number().min(1).max(3600).optional().catch(undefined),
});

/** Answer of a webhook. The reason of `unusable` contains no part of the answer. */
export type WebhookResponse =
  | {
      readonly kind: 'done' | 'refused';
      readonly outcome: EffectOutcome;
      /** Parts left out, for the log. */
      readonly leftOut?: string;
    }
  | { readonly kind: 'pending'; readonly retryInMs: number | undefined }
  | { readonly kind: 'unusable'; readonly why: string };

/**
 * Parses an answer by the declaration of the flow: an undeclared outcome is unusable. Of the facts only declared ones
 * are used, each as one line within its length; a missing one, or one that is no text, number or boolean, is a dash. A
 * declared list must match its declaration.
 */
export function readAnswer(text: string, call: Call): WebhookResponse {
  const parsed = answer.safeParse(parseJson(withoutByteOrderMark(text)));
  if (!parsed.success) return { kind: 'unusable', why: 'is no answer of a webhook' };
  const { status, facts, askAgainSeconds } = parsed.data;
  const outcome = parsed.data.outcome || status;
  if (status === 'pending') {
    return { kind: 'pending', retryInMs: askAgainSeconds === undefined ? undefined : askAgainSeconds * 1000 };
  }
  const declared = Object.hasOwn(call.gives, outcome) && outcome !== unanswered ? call.gives[outcome] : undefined;
  if (declared === undefined) return { kind: 'unusable', why: 'has an outcome that the flow does not declare' };
  const known = Object.entries(declared).map(([name, chars]) => {
    const value = Object.hasOwn(facts, name) ? factOf(facts[name], chars) : '';
    return [name, value === '' ? missingFact : value];
  });
  const result = { result: outcome, facts: Object.fromEntries(known) };
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
