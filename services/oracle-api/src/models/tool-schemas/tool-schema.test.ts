import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toolSchema } from './tool-schema.js';

describe('what a tool takes', () => {
  it('is read once of a zod schema, however many turns make a tool of it', () => {
    const input = z.object({ name: z.string() });
    expect(toolSchema(input)).toBe(toolSchema(input));
    expect(toolSchema(input).check({ name: 1 })).toMatchObject({ ok: false });
    expect(toolSchema(z.object({ name: z.string() }))).not.toBe(toolSchema(input));
  });

  it('is read each time where it is plain JSON, which its owner may write into', () => {
    const json: Record<string, unknown> = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    expect(toolSchema(json).check({ n: 'one' }).ok).toBe(false);
    json['properties'] = { n: { type: 'string' } };
    expect(toolSchema(json).check({ n: 'one' }).ok).toBe(true);
  });
});
