import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { issueText } from './issue-text.js';

describe('the text of a refused value', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.object({}), [], 'must be an object'],
    [z.array(z.string()), {}, 'must be a list'],
    [z.object({ a: z.string() }), {}, 'is missing'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.set(z.string()), 1, 'has a value of another kind than it may have'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(3), 'a', 'must have at least 3 characters'],
    [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 items'],
    [z.number().min(1), 0, 'must be at least 1'],
    [z.number().multipleOf(5), 3, 'must be a multiple of 5'],
    [z.strictObject({}), { b: 1 }, 'has unknown fields: b'],
    [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
    [z.literal('a'), 'c', 'must be a'],
    [z.union([z.string(), z.number()]), {}, 'has a value of another kind than it may have'],
    [z.discriminatedUnion('op', [z.object({ op: z.literal('a') })]), { op: 'z' }, 'must be a'],
    [
      z.record(z.string().regex(/^x/, 'must start with x'), z.string()),
      { a: 'b' },
      'has a name that must start with x',
    ],
    [z.iso.datetime(), 'soon', 'must be a time such as 2027-01-01T00:00:00Z'],
    [z.string().regex(/a/), 'b', 'is not written as it has to be'],
    [z.string().regex(/a/, 'must have an a'), 'b', 'must have an a'],
  ])('is a sentence of this project, or of the schema itself: %#', (schema, value, text) => {
    const [issue] = schema.safeParse(value).error?.issues ?? [];
    expect(issue && issueText(issue)).toBe(text);
  });
});
