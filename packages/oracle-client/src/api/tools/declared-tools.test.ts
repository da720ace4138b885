import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { declaredTools, jsonSchemaOf } from './declared-tools.js';

describe('the JSON Schema of a tool', () => {
  it('is the same for zod 3 and zod 4 schemas', async () => {
    const one = z.object({ x: z.number().describe('across'), tags: z.array(z.string()).optional() });
    const other = z3.object({ x: z3.number().describe('across'), tags: z3.array(z3.string()).optional() });
    const expected = {
      type: 'object',
      properties: { x: { type: 'number', description: 'across' }, tags: { type: 'array', items: { type: 'string' } } },
      required: ['x'],
    };
    expect(await jsonSchemaOf(one)).toMatchObject(expected);
    expect(await jsonSchemaOf(other)).toMatchObject(expected);
  });

  it('is plain JSON Schema as given, converted once per schema', async () => {
    const plain = { type: 'object', properties: { x: { type: 'number' } } };
    expect(await jsonSchemaOf(plain)).toBe(plain);
    const made = z.object({});
    expect(await jsonSchemaOf(made)).toBe(await jsonSchemaOf(made));
  });

  it('allows what JSON Schema cannot express: the tab checks it', async () => {
    const schema = z.object({ when: z.date(), big: z.bigint(), made: z.string().transform(Number) });
    expect(await jsonSchemaOf(schema)).toMatchObject({ properties: { when: {}, big: {}, made: { type: 'string' } } });
  });

  it('fails for a validator without JSON Schema', async () => {
    const stranger = { '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) } } as const;
    await expect(jsonSchemaOf(stranger)).rejects.toThrow('A tool takes a schema of zod, or JSON Schema');
  });
});

describe('the tools of a message', () => {
  it('is empty without tools, and marks actions with a renderer', async () => {
    expect(await declaredTools([], [])).toEqual({});
    const schema = { type: 'object' };
    const action = { name: 'pay', description: 'Pays', parameters: schema, handler: () => 1 };
    expect(
      await declaredTools(
        [{ toolName: 'plot', description: 'Draws', schema, fn: () => 1 }],
        [action, { ...action, name: 'show', render: () => null }],
      ),
    ).toEqual({
      tools: [{ name: 'plot', description: 'Draws', schema }],
      agActions: [
        { name: 'pay', description: 'Pays', schema, hasRender: false },
        { name: 'show', description: 'Pays', schema, hasRender: true },
      ],
    });
  });
});
