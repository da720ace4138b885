import { describe, expect, it } from 'vitest';
import { checkDeclared } from './declared-schema.js';

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { x: { type: 'number' }, pattern: { type: 'string' }, unit: { enum: ['m', 'km'] } },
  required: ['x'],
};

describe('the arguments of a tool that a client declared', () => {
  it('are checked against its schema, and what is wrong is named', () => {
    expect(checkDeclared(schema, { x: 1, unit: 'm' }).ok).toBe(true);
    expect(checkDeclared(schema, { x: '1' })).toMatchObject({ ok: false, problem: expect.stringContaining('x') });
    expect(checkDeclared(schema, { x: 1, unit: 'mile' })).toMatchObject({ ok: false });
    expect(checkDeclared(schema, { x: 1, pattern: 2 })).toMatchObject({ ok: false });
    expect(checkDeclared(schema, {})).toMatchObject({ ok: false, problem: expect.stringContaining('x') });
  });

  it('may be any object where the schema says nothing, or what cannot be checked', () => {
    const circle = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } };
    let deep: Record<string, unknown> = { type: 'string' };
    for (let depth = 0; depth < 200; depth++) deep = { type: 'object', properties: { a: deep } };
    for (const one of [{}, { $schema: 'x' }, circle, deep, { type: 'nonsense' }]) {
      expect(checkDeclared(one, { a: 1 })).toMatchObject({ ok: true });
    }
  });

  it('run no pattern of the client', () => {
    const slow = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    expect(checkDeclared(slow, { a: `${'a'.repeat(50)}!` }).ok).toBe(true);
  });
});
