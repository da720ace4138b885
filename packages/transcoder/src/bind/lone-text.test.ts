import { create, toBinary } from '@bufbuild/protobuf';
import { everythingRegistry, messageOf } from '@mlango/test-services/descriptors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeLoneText } from './lone-text.js';

const everything = messageOf(everythingRegistry(), 'everything.v1.Everything');
const plain = () => undefined;

describe('a request that is one text', () => {
  it('equals the library’s result for any text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.constantFrom('x'.repeat(127), 'ü'.repeat(5000)),
    );
    fc.assert(
      fc.property(text, (value) => {
        for (const name of ['string_value', 'renamed']) {
          const field = everything.fields.find((candidate) => candidate.name === name);
          const message = Object.assign(create(everything), { [field?.localName ?? '']: value });
          expect([...(encodeLoneText(everything, name, value, plain) ?? [])]).toEqual([
            ...toBinary(everything, message),
          ]);
        }
      }),
    );
  });

  it.each(['bytes_value', 'int32_value', 'names', 'by_name', 'chosen_text', 'leaf.label', 'no_such_field'])(
    'excludes %s',
    (name) => expect(encodeLoneText(everything, name, 'a', plain)).toBeUndefined(),
  );

  it('excludes an empty one, and one in another encoding', () => {
    expect(encodeLoneText(everything, 'string_value', '', plain)).toBeUndefined();
    const format = { printText: (text: string) => text, readText: (text: string) => `${text}!` };
    expect(encodeLoneText(everything, 'string_value', 'a', () => format)).toBeUndefined();
  });
});
