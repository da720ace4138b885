import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import fc from 'fast-check';

const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom('NaN', 'Infinity', '-Infinity'),
);
const bytes = fc.uint8Array({ maxLength: 8 }).map((value) => Buffer.from(value).toString('base64'));
const colour = fc.constantFrom<JsonValue>(0, 1, 5, 77);
const time = fc
  .tuple(
    fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true }),
    fc.nat({ max: 999_999_999 }),
  )
  .map(([date, nanos]) => `${date.toISOString().slice(0, 19)}.${String(nanos).padStart(9, '0')}Z`);
const duration = fc
  .tuple(fc.constantFrom('', '-'), fc.nat({ max: 1_000_000 }), fc.nat({ max: 999_999_999 }))
  .map(([sign, seconds, nanos]) => `${sign}${seconds}.${String(nanos).padStart(9, '0')}s`);

const optional = { requiredKeys: [] };
const leaf = fc.record({ label: text, counts: fc.array(int64, { maxLength: 3 }), colour }, optional);
const { tree } = fc.letrec<{ tree: JsonObject }>((tie) => ({
  tree: fc.record(
    {
      id: text,
      parent: fc.option(tie('tree'), { nil: undefined, maxDepth: 2 }),
      children: fc.array(tie('tree'), { maxLength: 2, depthIdentifier: 'tree' }),
      leaves: fc.dictionary(text, leaf, { maxKeys: 2 }),
    },
    optional,
  ) as fc.Arbitrary<JsonObject>,
}));

const choice = fc.oneof(
  fc.constant({}),
  text.map((chosenText) => ({ chosenText })),
  int64.map((chosenNumber) => ({ chosenNumber })),
  leaf.map((chosenLeaf) => ({ chosenLeaf })),
);

const fields = fc.record(
  {
    doubleValue: double,
    floatValue: fc.float({ noNaN: true, noDefaultInfinity: true }),
    int32Value: int32,
    int64Value: int64,
    uint32Value: uint32,
    uint64Value: uint64,
    sint32Value: int32,
    sint64Value: int64,
    fixed32Value: uint32,
    fixed64Value: uint64,
    sfixed32Value: int32,
    sfixed64Value: int64,
    boolValue: fc.boolean(),
    stringValue: text,
    bytesValue: bytes,
    colour,
    leaf,
    names: fc.array(text, { maxLength: 3 }),
    manyLeaves: fc.array(leaf, { maxLength: 3 }),
    colours: fc.array(colour, { maxLength: 3 }),
    numbers: fc.array(double, { maxLength: 3 }),
    byName: fc.dictionary(text, int32, { maxKeys: 3 }),
    byNumber: fc.dictionary(int64, text, { maxKeys: 3 }),
    byTruth: fc.dictionary(fc.constantFrom('true', 'false'), leaf, { maxKeys: 2 }),
    perhaps: int32,
    at: time,
    lasting: duration,
    mask: fc.constantFrom('', 'a', 'a.b,cD'),
    record: fc.dictionary(text, fc.oneof(text, fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 2 })), {
      maxKeys: 2,
    }),
    maybeLong: int64,
    maybeFlag: fc.boolean(),
    share: int64,
    shares: fc.array(int64, { maxLength: 2 }),
    otherName: text,
    tree,
    longs: fc.array(uint64, { maxLength: 2 }),
  },
  optional,
);

/** A random `everything.v1.Everything` in proto3 JSON. */
export const anyEverything: fc.Arbitrary<JsonObject> = fc
  .tuple(fields, choice)
  .map(([plain, chosen]) => JSON.parse(JSON.stringify({ ...plain, ...chosen })) as JsonObject);
