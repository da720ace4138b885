import { create, fromBinary, fromJson, type JsonObject, type JsonValue, toBinary, toJson } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { AnySchema, anyPack, DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { everythingRegistry, messageOf } from '@mlango/test-services/descriptors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyEverything } from '../../test/any-everything.js';
import { formatOf } from '../../test/formats.js';
import { maskOf } from '../../test/mask-of.js';
import { WHOLE_PROFILE } from '../../test/profiles.js';
import type { JsonProfile } from './profile.js';
import { createJsonWriters } from './writer.js';

const registry = everythingRegistry();
const everything = messageOf(registry, 'everything.v1.Everything');
const OMIT: JsonProfile = { names: 'proto', defaults: 'omit' };

function encode(json: JsonObject): Uint8Array {
  return toBinary(everything, fromJson(everything, json, { registry }));
}

function written(json: JsonObject, profile = WHOLE_PROFILE): Record<string, unknown> {
  return JSON.parse(createJsonWriters(registry, profile, formatOf)(everything)(encode(json)));
}

describe('the JSON writer', () => {
  it('writes all defaults of a profile in the order of declaration', () => {
    const text = createJsonWriters(registry, WHOLE_PROFILE)(everything)(new Uint8Array());
    expect(text).toBe(
      '{"double_value":0,"float_value":0,"int32_value":0,"int64_value":"0","uint32_value":0,"uint64_value":"0",' +
        '"sint32_value":0,"sint64_value":"0","fixed32_value":0,"fixed64_value":"0","sfixed32_value":0,"sfixed64_value":"0",' +
        '"bool_value":false,"string_value":"","bytes_value":null,"colour":"COLOUR_UNSPECIFIED","leaf":null,"names":[],' +
        '"many_leaves":[],"colours":[],"numbers":[],"by_name":{},"by_number":{},"by_truth":{},"at":null,"lasting":null,' +
        '"mask":null,"payload":null,"record":null,"maybe_long":null,"maybe_flag":null,"share":"","shares":[],"renamed":"",' +
        '"tree":null,"longs":[],"fields":""}',
    );
  });

  it('writes a body as its text, and a long one as its bytes', () => {
    const { body } = createJsonWriters(registry, OMIT)(everything);
    const written = (stringValue: string) => body(encode({ stringValue }));
    expect(written('habari')).toBe('{"string_value":"habari"}');
    for (const text of ['a'.repeat(20_000), 'é'.repeat(20_000), 'a'.repeat(300_000)]) {
      const bytes = written(text);
      expect(Buffer.isBuffer(bytes)).toBe(true);
      // As texts: two buffers are compared byte by byte.
      expect(String(bytes)).toBe(JSON.stringify({ string_value: text }));
    }
  });

  it('writes members of a oneof and optional fields only when they are set', () => {
    expect(written({ chosenNumber: '0', perhaps: 0 })).toMatchObject({ chosen_number: '0', perhaps: 0 });
    expect(written({ chosenLeaf: {} })).toMatchObject({
      chosen_leaf: { label: '', counts: [], colour: 'COLOUR_UNSPECIFIED' },
    });
    expect(Object.keys(written({}))).not.toEqual(expect.arrayContaining(['chosen_text', 'perhaps']));
  });

  it('writes an enum by name, and an unknown value by number', () => {
    expect(written({ colour: 5, colours: [1, 9] })).toMatchObject({
      colour: 'COLOUR_BLUE',
      colours: ['COLOUR_RED', 9],
    });
  });

  it('writes NaN and the infinities as strings, and a float with its own digits', () => {
    expect(written({ doubleValue: 'NaN', floatValue: '-Infinity', numbers: ['Infinity', 0.1, -0] })).toMatchObject({
      double_value: 'NaN',
      float_value: '-Infinity',
      numbers: ['Infinity', 0.1, -0],
    });
    expect(written({ floatValue: 0.1 })).toMatchObject({ float_value: 0.1 });
    expect(written({ floatValue: 16777217 })).toMatchObject({ float_value: 16777216 });
    expect(written({ floatValue: 3.4028234663852886e38 })).toMatchObject({ float_value: 3.4028234663852886e38 });
  });

  it.each([
    ['2021-01-01T00:00:00Z', '2021-01-01T00:00:00Z'],
    ['2021-01-01T00:00:00.5Z', '2021-01-01T00:00:00.500Z'],
    ['2021-01-01T00:00:00.000001Z', '2021-01-01T00:00:00.000001Z'],
    ['2021-01-01T00:00:00.123456789Z', '2021-01-01T00:00:00.123456789Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999999999Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ])('writes the time %s with 0, 3, 6 or 9 digits', (at, expected) => {
    expect(written({ at })).toMatchObject({ at: expected });
  });

  it.each([
    ['0s', '0s'],
    ['1.5s', '1.500s'],
    ['-1.5s', '-1.500s'],
    ['-0.000000001s', '-0.000000001s'],
    ['3.000001s', '3.000001s'],
  ])('writes the duration %s as %s', (lasting, expected) => {
    expect(written({ lasting })).toMatchObject({ lasting: expected });
  });

  it('refuses a time out of range rather than writing a wrong one', () => {
    const message = create(everything);
    reflect(everything, message).set(
      everything.field['at'] ?? fail(),
      reflect(TimestampSchema, create(TimestampSchema, { seconds: 253402300800n })),
    );
    expect(() => createJsonWriters(registry, WHOLE_PROFILE)(everything)(toBinary(everything, message))).toThrow(
      RangeError,
    );
  });

  it.each([
    [315_576_000_000n, '315576000000s'],
    [-315_576_000_000n, '-315576000000s'],
    [315_576_000_001n, undefined],
    [-315_576_000_001n, undefined],
  ])('writes a duration of %s seconds only within the range of JSON', (seconds, expected) => {
    const message = create(everything);
    const lasting = everything.field['lasting'] ?? fail();
    reflect(everything, message).set(lasting, reflect(DurationSchema, create(DurationSchema, { seconds })));
    const write = () => createJsonWriters(registry, OMIT)(everything)(toBinary(everything, message));
    if (expected === undefined) expect(write).toThrow(RangeError);
    else expect(write()).toBe(`{"lasting":"${expected}"}`);
  });

  it('writes a field in its format, except with wire values', () => {
    const json = { share: '10', shares: ['0', '"'] };
    expect(written(json)).toMatchObject({ share: '<10>', shares: ['<0>', '<">'] });
    expect(written(json, { ...WHOLE_PROFILE, values: 'wire' })).toMatchObject(json);
  });

  it('writes an Any of a known type by its fields, else as bytes', () => {
    const leaf = messageOf(registry, 'everything.v1.Leaf');
    const known = toJson(AnySchema, anyPack(leaf, fromJson(leaf, { label: 'a' })), { registry });
    expect(written({ payload: known })).toMatchObject({
      payload: {
        '@type': 'type.googleapis.com/everything.v1.Leaf',
        label: 'a',
        counts: [],
        colour: 'COLOUR_UNSPECIFIED',
      },
    });
    const time = { '@type': 'type.googleapis.com/google.protobuf.Timestamp', value: '2021-01-01T00:00:00Z' };
    expect(written({ payload: time })).toMatchObject({ payload: time });
    const writeAny = createJsonWriters(registry, WHOLE_PROFILE)(AnySchema);
    const unknown = toBinary(AnySchema, create(AnySchema, { typeUrl: '/never.seen.Msg', value: Uint8Array.of(1, 2) }));
    expect(JSON.parse(writeAny(unknown))).toEqual({ '@type': '/never.seen.Msg', value: 'AQI=' });
    expect(writeAny(new Uint8Array())).toBe('{}');
  });

  it('writes lowerCamelCase names if requested, and custom names', () => {
    expect(
      written({ int32Value: 1, otherName: 'a', leaf: { label: 'b' } }, { names: 'camel', defaults: 'omit' }),
    ).toEqual({
      int32Value: 1,
      otherName: 'a',
      leaf: { label: 'b' },
    });
  });

  it('writes only the fields of a mask, at every level and in lists', () => {
    const mask = maskOf('leaf.label,many_leaves.counts,int64Value,by_truth.label,nope', everything);
    const bytes = encode({
      leaf: { label: 'a', counts: ['1'] },
      manyLeaves: [{ label: 'b' }],
      int64Value: '7',
      byTruth: { true: { label: 'c' } },
    });
    expect(JSON.parse(createJsonWriters(registry, WHOLE_PROFILE)(everything)(bytes, { mask }))).toEqual({
      int64_value: '7',
      leaf: { label: 'a' },
      many_leaves: [{ counts: [] }],
      by_truth: { true: { label: 'c' } },
    });
  });

  it('writes one field as the whole reply', () => {
    const write = createJsonWriters(registry, OMIT)(everything);
    expect(write(encode({ leaf: { label: 'a' } }), { responseBody: 'leaf' })).toBe('{"label":"a"}');
    expect(write(encode({}), { responseBody: 'leaf' })).toBe('null');
    expect(write(encode({ names: ['x'] }), { responseBody: 'names' })).toBe('["x"]');
  });

  it('throws on bytes of another message', () => {
    const write = createJsonWriters(registry, WHOLE_PROFILE)(everything);
    expect(() => write(Uint8Array.of(0x0a, 0xff))).toThrow();
    expect(() => write(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff))).toThrow();
  });

  it('throws or writes JSON on any bytes, and never hangs', () => {
    const write = createJsonWriters(registry, WHOLE_PROFILE)(everything);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        let text: string;
        try {
          text = write(bytes);
        } catch {
          return;
        }
        expect(JSON.parse(text)).toBeTypeOf('object');
      }),
    );
  });

  it('agrees with @bufbuild/protobuf on random messages, except names and defaults', () => {
    const withoutDecimals = (json: JsonObject): JsonObject => ({ ...json, share: '', shares: [] });
    fc.assert(
      fc.property(anyEverything.map(withoutDecimals), fc.constantFrom('proto', 'camel'), (json, names) => {
        const bytes = encode(json);
        const ours: JsonValue = JSON.parse(createJsonWriters(registry, { names, defaults: 'omit' })(everything)(bytes));
        const theirs = toJson(everything, fromBinary(everything, bytes), {
          registry,
          useProtoFieldName: names === 'proto',
        });
        expect(asFloat32(ours)).toEqual(asFloat32(theirs));
      }),
      { numRuns: 100 },
    );
  });

  it('is parsed by @bufbuild/protobuf to the same message in every profile', () => {
    const profiles: JsonProfile[] = [OMIT, { names: 'camel', defaults: 'emit' }, { names: 'proto', defaults: 'emit' }];
    fc.assert(
      fc.property(
        anyEverything.map((json) => ({ ...json, share: '', shares: [] })),
        fc.constantFrom(...profiles),
        (json, profile) => {
          const bytes = encode(json);
          const text = createJsonWriters(registry, profile)(everything)(bytes);
          const back = fromJson(everything, JSON.parse(text) as JsonValue, { registry });
          const original = fromBinary(everything, bytes);
          expect(asFloat32(toJson(everything, back, { registry }))).toEqual(
            asFloat32(toJson(everything, original, { registry })),
          );
        },
      ),
      { numRuns: 80 },
    );
  });
});

/** A float has more digits in @bufbuild/protobuf; as a float it is the same one. */
function asFloat32(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      /^float_?value$/i.test(name) && typeof item === 'number' ? Math.fround(item) : item,
    ]),
  );
}

function fail(): never {
  throw new Error('the fixture has changed');
}
