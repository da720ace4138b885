import { z } from 'zod';
import { unanswered } from '../../effects/effect.js';
import { type Call, emptyList } from '../../engine/declarations.js';
import type { Act, Query } from '../../engine/flow.js';
import { wholeNumber } from '../../entries/entry-kind.js';
import { listOf, listSettings } from '../lists.js';

const name = z.string().regex(/^[A-Za-z][\w-]{0,59}$/, 'must be a name of letters and digits');

/** Settings of a webhook operation in a flow. */
export const webhookSettings = {
  webhook: name.describe('One of those that the operator has set up in WEBHOOKS'),
  is: z
    .enum(['act', 'question'], { error: 'must be act or question' })
    .describe('An act changes something, and happens once; a question only reads'),
  sends: z.array(name).max(20).default([]).describe('What was typed or found out and goes along'),
  gives: z
    .record(
      name.refine((one) => one !== unanswered, `must not be ${unanswered}, which every webhook can come to`),
      z.record(name, z.union([wholeNumber(1, 400), listSettings])),
      {
        error: 'must be the facts of each result, with the most characters of each, such as { paid: { receipt: 20 } }',
      },
    )
    .refine((results) => Object.keys(results).length > 0, 'must have a result')
    .superRefine((results, context) => {
      const declared = Object.entries(results).map(([result, facts]) => ({ result, lists: listsIn(facts) }));
      for (const { result, lists } of declared) {
        if (lists.length > 1) context.addIssue({ code: 'custom', path: [result], message: 'can give one list only' });
      }
      if (Object.hasOwn(results, emptyList) && declared.some(({ lists }) => lists.length > 0)) {
        const message = `must not be ${emptyList}, which every list can come to`;
        context.addIssue({ code: 'custom', path: [emptyList], message });
      }
    })
    .describe('Its results, each with the facts that it gives and the most characters of each, or with a list'),
};
type Gives = z.output<(typeof webhookSettings)['gives']>;

function listsIn(facts: Gives[string]) {
  return Object.entries(facts).flatMap(([list, how]) => (typeof how === 'number' ? [] : [listOf(list, how)]));
}

function factsIn(facts: Gives[string]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([fact, how]) => (typeof how === 'number' ? [[fact, how]] : [])),
  );
}

/** An act or a query of a webhook: one of the results named by the flow, `unanswered`, or `empty` for a list without items. */
export function webhookOperation(
  settings: z.output<z.ZodObject<typeof webhookSettings>>,
  operation: string,
): Act | Query {
  const { webhook, is, sends, gives } = settings;
  const lists = Object.fromEntries(
    Object.entries(gives).flatMap(([result, facts]) => listsIn(facts).map((list) => [result, list])),
  );
  const hasLists = Object.keys(lists).length > 0;
  const facts = Object.fromEntries(Object.entries(gives).map(([result, declared]) => [result, factsIn(declared)]));
  const call: Call = {
    webhook,
    operation,
    sends,
    ...(hasLists && { lists }),
    gives: { ...facts, ...(hasLists && { [emptyList]: {} }), [unanswered]: {} },
  };
  const results = Object.entries(call.gives).map(([result, facts]) => [
    result,
    Object.fromEntries(Object.entries(facts).map(([fact, chars]) => [fact, ['W'.repeat(chars)]])),
  ]);
  const declared = { call, takes: sends, results: Object.fromEntries(results), ...(hasLists && { lists }) };
  if (is === 'act') return { kind: 'act', ...declared };
  return { kind: 'query', ...declared, run: (request, { webhooks }) => webhooks.query(call, request) };
}
