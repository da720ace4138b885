import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { untrustedSchema } from './untrusted-schema.js';
import { validationLimits, validationProblem } from './validation-work.js';

type Json = Record<string, unknown>;

const arrayOf = (items: Json) => ({ type: 'object', properties: { x: { type: 'array', items } } });
const consts = (count: number) => Array.from({ length: count }, (_, at) => ({ const: `c${at}` }));
const texts = (count: number) => ({ x: Array.from({ length: count }, (_, at) => `no${at}`) });
const nested = (depth: number, wrap: (inner: Json) => Json, inner: Json): Json =>
  depth === 0 ? inner : nested(depth - 1, wrap, wrap(inner));

describe('the work of checking arguments against an untrusted schema', () => {
  it.each([
    ['1,200 constants with 1,000 texts', arrayOf({ anyOf: consts(1_200) }), texts(1_000)],
    [
      'an enum of numbers with 1,000 texts',
      arrayOf({ enum: Array.from({ length: 900 }, (_, at) => at) }),
      texts(1_000),
    ],
    [
      '500 branches of allOf that are merged over 1,000 values',
      { allOf: Array.from({ length: 500 }, () => ({})) },
      texts(1_000),
    ],
    [
      '1,000 objects with 1,000 optional properties each',
      arrayOf({ type: 'object', properties: Object.fromEntries(consts(1_000).map(({ const: name }) => [name, {}])) }),
      { x: Array.from({ length: 1_000 }, () => ({})) },
    ],
  ])('is refused before the check: %s', (_what, schema, args) => {
    expect(untrustedSchema(schema).check(args)).toEqual({ ok: false, problem: 'take too long to check' });
  });

  it('is limited by refusing too many or too deeply nested arguments, also if the schema cannot be checked', () => {
    const deep = nested(validationLimits.depth + 1, (inner) => ({ a: inner }), {});
    for (const schema of [{}, { $ref: '#/$defs/a' }]) {
      expect(untrustedSchema(schema).check(texts(validationLimits.values))).toMatchObject({
        problem: 'have too many values',
      });
      expect(untrustedSchema(schema).check(deep)).toMatchObject({ problem: 'are nested too deep' });
    }
  });

  it('does not multiply if a type is repeated at each level', () => {
    const schema = nested(9, (a) => ({ type: ['object', 'object', 'object', 'object'], properties: { a } }), {
      type: 'string',
    });
    const args = nested(9, (a) => ({ a }), { a: 'x' });
    expect(untrustedSchema(schema).check(args)).toMatchObject({ ok: false });
  });

  it('permits usual tools', () => {
    const row = {
      type: 'object',
      properties: { id: { type: 'integer' }, unit: { enum: ['m', 'km'] }, note: { type: ['string', 'null'] } },
    };
    const rows = Array.from({ length: 1_000 }, (_, id) => ({ id, unit: 'm', note: null }));
    expect(untrustedSchema(arrayOf(row)).check({ x: rows })).toMatchObject({ ok: true });
    const countries = { type: 'object', properties: { country: { enum: consts(250).map((one) => one.const) } } };
    expect(untrustedSchema(countries).check({ country: 'c7' })).toMatchObject({ ok: true });
  });

  it('is at most the limit, for any schema and arguments', () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        if (validationProblem(schema, value) !== undefined) return;
        const type = counted(z.fromJSONSchema(schema));
        runs = 0;
        type.safeParse(value);
        // A union of types, an optional property and an intersection are a run of their own.
        expect(runs).toBeLessThanOrEqual(4 * pairsOf(schema, value) + 4);
      }),
      { numRuns: 400 },
    );
  });
});

/** The smallest limit that lets a check pass. */
function pairsOf(schema: Json, value: unknown): number {
  let [low, high]: [number, number] = [0, validationLimits.pairs];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (validationProblem(schema, value, middle) === undefined) high = middle;
    else low = middle + 1;
  }
  return low;
}

let runs = 0;

/** The same type; each run of it, and of each type inside it, is counted. */
function counted<Type extends z.core.$ZodType>(type: Type, seen = new Set<unknown>()): Type {
  if (seen.has(type)) return type;
  seen.add(type);
  const run = type._zod.run.bind(type._zod);
  type._zod.run = (payload, context) => {
    runs += 1;
    return run(payload, context);
  };
  const visit = (part: unknown): void => {
    if (part instanceof z.core.$ZodType) counted(part, seen);
    else if (Array.isArray(part)) for (const one of part) visit(one);
    else if (typeof part === 'object' && part !== null) for (const one of Object.values(part)) visit(one);
  };
  visit(type._zod.def);
  return type;
}

const names = fc.constantFrom('a', 'b', 'c');
const scalars = fc.oneof(fc.constantFrom('x', 'y'), fc.integer({ min: 0, max: 3 }), fc.boolean(), fc.constant(null));

const { schema: schemas } = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', maxDepth: 5 },
    fc.constantFrom<Json>({}, { type: 'string' }, { type: 'integer' }, { type: ['string', 'null', 'object', 'array'] }),
    fc.record({ enum: fc.array(scalars, { minLength: 1, maxLength: 6 }) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 5 }) }),
    fc.record({ type: fc.constant('object'), oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 5 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 5 }) }),
    fc.record({ type: fc.constant('array'), items: tie('schema'), uniqueItems: fc.boolean() }),
    fc.record({
      type: fc.constant('array'),
      prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
      items: tie('schema'),
    }),
    fc.record({ type: fc.constant('array'), contains: tie('schema') }),
    fc.record({
      type: fc.constantFrom<unknown>('object', ['object', 'array']),
      properties: fc.dictionary(names, tie('schema')),
      additionalProperties: fc.oneof(tie('schema'), fc.boolean()),
      items: tie('schema'),
    }),
  ) as fc.Arbitrary<Json>,
}));

const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 5 },
    scalars,
    fc.array(tie('value'), { maxLength: 12 }),
    fc.dictionary(names, tie('value')),
  ),
}));
