import { z } from 'zod';
import type { Act } from '../../engine/flow.js';
import { wholeNumber } from '../../entries/entry-kind.js';

/** Settings of a message to the subscriber in a flow. */
export const messageSettings = {
  text: z
    .string()
    .regex(/^[A-Za-z][\w-]{0,59}$/, 'must be the key of a text in texts/')
    .describe('The key of a text in texts/: it goes in the language of the subscriber'),
  segments: wholeNumber(1, 10).default(1).describe('The most SMS that it may take'),
};

/** A message, started by a key (`do`) or by the outcome of another act (`message`). */
export function messageOperation({ text, segments }: z.output<z.ZodObject<typeof messageSettings>>): Act {
  return { kind: 'act', message: { text, segments }, results: { queued: {} } };
}
