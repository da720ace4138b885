import { fromBinary, fromJson, type JsonValue, toBinary, toJson } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { everythingRegistry, messageOf } from '@mlango/test-services/descriptors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyEverything } from '../../test/any-everything.js';
import { formatOf } from '../../test/formats.js';
import { maskOf } from '../../test/mask-of.js';
import { WHOLE_PROFILE } from '../../test/profiles.js';
import { createReflectionWriters } from '../../test/reflection/json-writer.js';
import { type Dice, scramble } from '../../test/scrambled-wire.js';
import type { JsonProfile } from './profile.js';
import { createJsonWriters } from './writer.js';

const registry = everythingRegistry();
const everything = messageOf(registry, 'everything.v1.Everything');
const tree = messageOf(registry, 'everything.v1.Tree');
const leaf = messageOf(registry, 'everything.v1.Leaf');

const profiles: JsonProfile[] = [
  { names: 'proto', defaults: 'emit' },
  { names: 'proto', defaults: 'omit' },
  { names: 'camel', defaults: 'emit' },
];
const pairs = profiles.map((profile) => ({
  profile,
  compiled: createJsonWriters(registry, profile, formatOf),
  reflecting: createReflectionWriters(registry, profile, formatOf),
}));
const shapes = [
  {},
  {
    mask: maskOf('leaf.label,many_leaves.counts,int64_value,by_truth.label,tree.parent.id,chosen_text', everything),
  },
  { responseBody: 'many_leaves' },
  { responseBody: 'tree' },
];

const encoded = anyEverything.map((json) => toBinary(everything, fromJson(everything, json, { registry })));
const rolls = fc.infiniteStream(fc.nat());

/** Dice out of a stream of random numbers, so that a failure can be repeated and made smaller. */
function diceOf(numbers: IterableIterator<number>): Dice {
  return (limit) => Number(numbers.next().value) % limit;
}

/** Compares as JSON: maps have no order. */
function expectSameText(ours: string, theirs: string): void {
  expect(JSON.parse(ours)).toEqual(JSON.parse(theirs));
}

describe('the compiled writer', () => {
  it('agrees with the reflecting one on random messages, in every profile and shape', () => {
    fc.assert(
      fc.property(encoded, fc.constantFrom(...pairs), fc.constantFrom(...shapes), (bytes, pair, shape) => {
        expectSameText(pair.compiled(everything)(bytes, shape), pair.reflecting(everything)(bytes, shape));
      }),
      { numRuns: 150 },
    );
  });

  it('writes fields in the same order, except maps', () => {
    const withoutMaps = anyEverything.map(({ byName: _n, byNumber: _m, byTruth: _t, record: _r, tree: _e, ...json }) =>
      toBinary(everything, fromJson(everything, json, { registry })),
    );
    fc.assert(
      fc.property(withoutMaps, fc.constantFrom(...pairs), (bytes, pair) => {
        expect(pair.compiled(everything)(bytes)).toBe(pair.reflecting(everything)(bytes));
      }),
      { numRuns: 80 },
    );
  });

  it('reads bytes that no encoder sends: any order, repeats, merged messages, unknown fields, groups, unpacked', () => {
    fc.assert(
      fc.property(encoded, rolls, fc.constantFrom(...pairs), (bytes, numbers, pair) => {
        const wire = scramble(everything, bytes, diceOf(numbers));
        expectSameText(pair.compiled(everything)(wire), pair.reflecting(everything)(wire));
      }),
      { numRuns: 150 },
    );
  });

  it('agrees with @bufbuild/protobuf on such bytes, except decimals and the digits of floats', () => {
    const plain = anyEverything.map(({ share: _s, shares: _l, floatValue: _f, ...json }) =>
      toBinary(everything, fromJson(everything, json, { registry })),
    );
    const write = createJsonWriters(registry, { names: 'camel', defaults: 'omit' })(everything);
    fc.assert(
      fc.property(plain, rolls, (bytes, numbers) => {
        const wire = scramble(everything, bytes, diceOf(numbers));
        const theirs: JsonValue = toJson(everything, fromBinary(everything, wire), { registry });
        expect(JSON.parse(write(wire))).toEqual(theirs);
      }),
      { numRuns: 100 },
    );
  });

  it('fails on a length of more than 32 bits with any lower bits', () => {
    const { compiled } = pairs[0] ?? fail();
    // Field 14, a text, of 2^32 + 1 bytes; then of 2^35 bytes.
    for (const length of [
      [0x81, 0x80, 0x80, 0x80, 0x10],
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
    ]) {
      expect(() => compiled(everything)(Uint8Array.from([0x72, ...length, 0x61]))).toThrow('cut short');
    }
    expect(compiled(leaf)(Uint8Array.from([0x0a, 0x81, 0x80, 0x80, 0x80, 0x00, 0x61]))).toContain('"label":"a"');
  });

  it('fails on truncated bytes like the library, and never writes broken JSON', () => {
    const { compiled } = pairs[0] ?? fail();
    fc.assert(
      fc.property(encoded, fc.nat(), (bytes, at) => {
        const cut = bytes.subarray(0, bytes.length === 0 ? 0 : at % bytes.length);
        const theirs = outcome(() => toJson(everything, fromBinary(everything, cut), { registry }));
        const ours = outcome(() => JSON.parse(compiled(everything)(cut)));
        expect(ours).toBe(theirs);
      }),
      { numRuns: 150 },
    );
  });

  it('either writes JSON or throws on random bytes, without delay', () => {
    const { compiled } = pairs[0] ?? fail();
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(everything, tree, leaf, AnySchema),
        (bytes, desc) => {
          outcome(() => JSON.parse(compiled(desc)(bytes)));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('bytes that are not a message', () => {
  const write = createJsonWriters(registry, WHOLE_PROFILE)(everything);

  it.each([
    ['a string that is not UTF-8', [0x72, 2, 0xc3, 0x28]],
    ['a string with half a surrogate', [0x72, 3, 0xed, 0xa0, 0x80]],
    ['a length beyond the end', [0x72, 5, 0x61]],
    ['a length of four gigabytes', [0x72, 0xff, 0xff, 0xff, 0xff, 0x0f]],
    ['a number that does not end', [0x18, 0xff]],
    ['a number of eleven bytes', [0x18, ...Array(10).fill(0xff), 1]],
    ['four of eight bytes', [0x09, 1, 2, 3, 4]],
    ['a field number of 0', [0x00, 1]],
    ['an unknown wire type', [0x0e, 1]],
    ['the end of a group that did not begin', [0x0c]],
    ['a group that does not end', [0xc3, 0xb8, 0x02]],
    ['a packed list cut inside a value', [0xaa, 0x01, 4, 1, 2, 3, 4]],
  ])('are refused: %s', (_, bytes) => {
    expect(() => write(Uint8Array.from(bytes))).toThrow();
  });

  it('are refused beyond 100 levels of nesting, and read up to that', () => {
    expect(createJsonWriters(registry, WHOLE_PROFILE)(tree)(nested(99))).toContain('"deep"');
    expect(() => createJsonWriters(registry, WHOLE_PROFILE)(tree)(nested(101))).toThrow('too deep');
    expect(() => createJsonWriters(registry, WHOLE_PROFILE)(tree)(nested(20_000))).toThrow('too deep');
  });

  it('are refused if unknown groups are nested too deeply', () => {
    const writer = new BinaryWriter();
    for (let depth = 0; depth < 50_000; depth += 1) writer.tag(UNKNOWN_FIELD, WireType.StartGroup);
    expect(() => write(writer.finish())).toThrow('too deep');
  });

  it('are read twice at most, for any disorder: re-reading each level would take 2^90 reads', () => {
    const text = createJsonWriters(registry, WHOLE_PROFILE)(tree)(messageOutOfOrder(90));
    expect(text.split('"id":"x"')).toHaveLength(91);
  });
});

const UNKNOWN_FIELD = 5000;

function nested(depth: number): Uint8Array {
  const innermost = new BinaryWriter().tag(1, WireType.LengthDelimited).string('deep').finish();
  const heads: Uint8Array[] = [];
  for (let level = 1, length = innermost.length; level < depth; level += 1) {
    const head = new BinaryWriter().tag(2, WireType.LengthDelimited).uint32(length).finish();
    heads.push(head);
    length += head.length;
  }
  return Buffer.concat([...heads.reverse(), innermost]);
}

function messageOutOfOrder(depth: number): Uint8Array {
  let bytes = new BinaryWriter().tag(1, WireType.LengthDelimited).string('x').finish();
  for (let level = 1; level < depth; level += 1) {
    const writer = new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(bytes);
    bytes = writer.tag(1, WireType.LengthDelimited).string('x').finish();
  }
  return bytes;
}

function outcome(run: () => unknown): 'read' | 'refused' {
  try {
    run();
    return 'read';
  } catch {
    return 'refused';
  }
}

function fail(): never {
  throw new Error('the fixture has changed');
}
