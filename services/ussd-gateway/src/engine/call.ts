import { z } from 'zod';
import { declaredList } from './declared-list.js';

/** What a flow declares of something that somebody outside of this process does or tells. */
export const call = z
  .object({
    /** Of those that the operator has set up. */
    webhook: z.string(),
    operation: z.string(),
    /** Facts that go along. */
    sends: z.array(z.string()),
    /** The most characters of each fact, by result. */
    gives: z.record(z.string(), z.record(z.string(), z.number())),
    /** The list that a result gives in addition to its facts, by result. */
    lists: z.record(z.string(), declaredList).optional(),
  })
  .readonly();
export type Call = z.infer<typeof call>;

/** The effect of all acts of a webhook: a subscriber has one of them under way at a time. */
export function webhookEffect(webhook: string): string {
  return `webhook ${webhook}`;
}
