import { z } from 'zod';
import { unanswered } from '../../effects/intent.js';
import type { Call } from '../../engine/call.js';
import type { Act, Query } from '../../engine/flow.js';
import { wholeNumber } from '../../entries/settings.js';

const name = z.string().regex(/^[A-Za-z][\w-]{0,59}$/, 'must be a name of letters and digits');

/** What a flow says of something that a webhook does or tells. */
export const webhookSettings = {
  webhook: name.describe('One of those that the operator has set up in WEBHOOKS'),
  is: z
    .enum(['act', 'question'], { error: 'must be act or question' })
    .describe('An act changes something, and happens once; a question only reads'),
  sends: z.array(name).max(20).default([]).describe('What was typed or found out and goes along'),
  gives: z
    .record(
      name.refine((one) => one !== unanswered, `must not be ${unanswered}, which every webhook can come to`),
      z.record(name, wholeNumber(1, 400)),
      {
        error: 'must be the facts of each result, with the most characters of each, such as { paid: { receipt: 20 } }',
      },
    )
    .refine((results) => Object.keys(results).length > 0, 'must have a result')
    .describe('Its results, each with the facts that it gives and the most characters of each'),
};

/** Something that a webhook does or tells: one of the results that the flow names, or `unanswered`. */
export function webhookOperation(
  settings: z.output<z.ZodObject<typeof webhookSettings>>,
  operation: string,
): Act | Query {
  const { webhook, is, sends, gives } = settings;
  const call: Call = { webhook, operation, sends, gives: { ...gives, [unanswered]: {} } };
  const results = Object.entries(call.gives).map(([result, facts]) => [
    result,
    Object.fromEntries(Object.entries(facts).map(([fact, chars]) => [fact, ['W'.repeat(chars)]])),
  ]);
  const declared = { call, takes: sends, results: Object.fromEntries(results) };
  if (is === 'act') return { kind: 'act', ...declared };
  return { kind: 'query', ...declared, ask: (asked, { webhooks }) => webhooks.ask(call, asked) };
}
