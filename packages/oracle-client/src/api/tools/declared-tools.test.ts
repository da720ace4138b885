import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { declaredTools, jsonSchemaOf } from './declared-tools.js';

describe('the JSON Schema of a tool', () => {
  it('says the same for a schema of zod 3 and of zod 4', async () => {
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

  it('is what is given, where that is JSON Schema, and made once for a schema', async () => {
    const plain = { type: 'object', properties: { x: { type: 'number' } } };
    expect(await jsonSchemaOf(plain)).toBe(plain);
    const made = z.object({});
    expect(await jsonSchemaOf(made)).toBe(await jsonSchemaOf(made));
  });

  it('lets through what JSON Schema cannot say: the tab checks it', async () => {
    const schema = z.object({ when: z.date(), big: z.bigint(), made: z.string().transform(Number) });
    expect(await jsonSchemaOf(schema)).toMatchObject({ properties: { when: {}, big: {}, made: { type: 'string' } } });
  });

  it('is not made of a validator that cannot be told to an agent', async () => {
    const stranger = { '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) } } as const;
    await expect(jsonSchemaOf(stranger)).rejects.toThrow('A tool takes a schema of zod, or JSON Schema');
  });
});

describe('what a message declares', () => {
  it('is nothing where there is nothing, and says which actions show themselves', async () => {
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
