import { everythingRegistry } from '@mlango/test-services/descriptors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WHOLE_PROFILE } from '../../test/profiles.js';
import { createJsonWriters } from '../json/writer.js';
import { readStatusDetails } from './status-details.js';

const registry = everythingRegistry();
const read = (bytes: Uint8Array) => readStatusDetails(bytes, createJsonWriters(registry, WHOLE_PROFILE), registry);

/** A length-delimited field. */
const field = (number: number, value: Uint8Array | string): number[] => {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  return [(number << 3) | 2, bytes.length, ...bytes];
};
const any = (type: string, value: number[]) =>
  Uint8Array.from([...field(1, type), ...field(2, Uint8Array.from(value))]);

describe('readStatusDetails', () => {
  it('reads details of known and of unknown types, past the code and the message', () => {
    const known = any('type.googleapis.com/everything.v1.Leaf', field(1, 'a'));
    const unknown = any('type.googleapis.com/never.Seen', [1]);
    const status = Uint8Array.from([0x08, 3, ...field(2, 'words'), ...field(3, known), ...field(3, unknown)]);
    expect(read(status)).toEqual([
      { '@type': 'type.googleapis.com/everything.v1.Leaf', label: 'a', counts: [], colour: 'COLOUR_UNSPECIFIED' },
      { '@type': 'type.googleapis.com/never.Seen', value: 'AQ==' },
    ]);
  });

  it('keeps details before a broken one', () => {
    const good = any('/never.Seen', [1]);
    expect(read(Uint8Array.from([...field(3, good), 0x1a, 0xff]))).toEqual([{ '@type': '/never.Seen', value: 'AQ==' }]);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => void read(bytes)));
  });
});
