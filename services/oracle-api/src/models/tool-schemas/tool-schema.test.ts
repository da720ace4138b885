import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toolSchema } from './tool-schema.js';

describe("the schema of a tool's arguments", () => {
  it('is converted once per zod schema, for any number of turns', () => {
    const input = z.object({ name: z.string() });
    expect(toolSchema(input)).toBe(toolSchema(input));
    expect(toolSchema(input).check({ name: 1 })).toMatchObject({ ok: false });
    expect(toolSchema(z.object({ name: z.string() }))).not.toBe(toolSchema(input));
  });

  it('is converted each time if it is plain JSON, because its owner may change it', () => {
    const json: Record<string, unknown> = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    expect(toolSchema(json).check({ n: 'one' }).ok).toBe(false);
    json['properties'] = { n: { type: 'string' } };
    expect(toolSchema(json).check({ n: 'one' }).ok).toBe(true);
  });
});
