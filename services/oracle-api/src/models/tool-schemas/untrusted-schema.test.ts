import { describe, expect, it } from 'vitest';
import { untrustedSchema, withItems } from './untrusted-schema.js';

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { x: { type: 'number' }, pattern: { type: 'string' }, unit: { enum: ['m', 'km'] } },
  required: ['x'],
};

const checkBy = (json: Record<string, unknown>, args: unknown) => untrustedSchema(json).check(args);

describe('the arguments of a tool with an untrusted schema', () => {
  it('are checked against its schema, with the invalid field in the error', () => {
    expect(checkBy(schema, { x: 1, unit: 'm' }).ok).toBe(true);
    expect(checkBy(schema, { x: '1' })).toMatchObject({ ok: false, problem: expect.stringContaining('x') });
    expect(checkBy(schema, { x: 1, unit: 'mile' })).toMatchObject({ ok: false });
    expect(checkBy(schema, { x: 1, pattern: 2 })).toMatchObject({ ok: false });
    expect(checkBy(schema, {})).toMatchObject({ ok: false, problem: expect.stringContaining('x') });
  });

  it('may be any object if the schema is empty or cannot be checked', () => {
    const circle = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } };
    let deep: Record<string, unknown> = { type: 'string' };
    for (let depth = 0; depth < 200; depth++) deep = { type: 'object', properties: { a: deep } };
    for (const one of [{}, { $schema: 'x' }, circle, deep, { type: 'nonsense' }]) {
      expect(checkBy(one, { a: 1 })).toMatchObject({ ok: true });
    }
  });

  it('are checked against referenced schemas', () => {
    const $defs = {
      'a/b': { type: 'object', properties: { x: { $ref: '#/definitions/x' } }, required: ['x'] },
      enum: { $ref: '#/$defs/a~1b', description: 'the same' },
    };
    const json = {
      type: 'object',
      $defs,
      definitions: { x: { type: 'number' } },
      properties: { one: { $ref: '#/$defs/enum' }, two: { $ref: '#/$defs/a~1b', maxProperties: 1 }, $ref: {} },
    };
    expect(checkBy(json, { one: { x: 1 }, two: { x: 1 }, $ref: 1 }).ok).toBe(true);
    expect(checkBy(json, { one: { x: '1' } })).toMatchObject({ ok: false, problem: expect.stringContaining('one.x') });
    expect(checkBy(json, { two: { x: 1, y: 1 } }).ok).toBe(false);
    expect(checkBy({ enum: [{ $ref: '#/nowhere' }] }, { $ref: '#/nowhere' }).ok).toBe(true);
  });

  it('are any object if references double the schema at each level', () => {
    const level = (at: number) => ({ type: 'object', properties: { a: reference(at), b: reference(at) } });
    const reference = (at: number) => (at === 40 ? { type: 'string' } : { $ref: `#/$defs/${at + 1}` });
    const $defs = Object.fromEntries(Array.from({ length: 41 }, (_, at) => [String(at), level(at)]));
    expect(checkBy({ $ref: '#/$defs/0', $defs }, { a: 1 }).ok).toBe(true);
  });

  it('run no pattern of the schema', () => {
    const slow = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    expect(checkBy(slow, { a: `${'a'.repeat(50)}!` }).ok).toBe(true);
  });

  it('are objects, and stay unchanged', () => {
    for (const args of ['x', 1, [1]]) expect(checkBy({}, args)).toMatchObject({ ok: false });
    const withDefault = {
      type: 'object',
      properties: { a: { type: 'number', default: 1 } },
      additionalProperties: true,
    };
    expect(checkBy(withDefault, { b: 2 })).toEqual({ ok: true, args: { b: 2 } });
  });

  it('has items for each array, and is otherwise unchanged', () => {
    const schema = {
      type: 'object',
      properties: {
        items: { type: 'string', enum: ['array'] },
        tags: { type: ['array', 'null'], default: { type: 'array' } },
        pair: { type: 'array', prefixItems: [{ type: 'array' }] },
      },
      anyOf: [{ type: 'array' }],
    };
    expect(withItems(schema)).toEqual({
      type: 'object',
      properties: {
        items: { type: 'string', enum: ['array'] },
        tags: { type: ['array', 'null'], default: { type: 'array' }, items: {} },
        pair: { type: 'array', prefixItems: [{ type: 'array', items: {} }] },
      },
      anyOf: [{ type: 'array', items: {} }],
    });
  });
});
