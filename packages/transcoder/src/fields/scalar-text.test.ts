import { ScalarType } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseScalar } from './scalar-text.js';

describe('parseScalar', () => {
  it.each([
    [ScalarType.INT32, '2147483647', '2147483648'],
    [ScalarType.INT32, '-2147483648', '-2147483649'],
    [ScalarType.UINT32, '4294967295', '4294967296'],
    [ScalarType.UINT32, '0', '-1'],
    [ScalarType.INT64, '9223372036854775807', '9223372036854775808'],
    [ScalarType.SINT64, '-9223372036854775808', '-9223372036854775809'],
    [ScalarType.UINT64, '18446744073709551615', '18446744073709551616'],
    [ScalarType.FIXED64, '0', '-1'],
  ])('checks the range of type %i: %s is in, %s is not', (type, inside, outside) => {
    const parsed = parseScalar(type, inside);
    expect('value' in parsed ? String(parsed.value) : parsed).toBe(inside);
    expect(parseScalar(type, outside)).toHaveProperty('problem');
  });

  it.each(['', ' 1', '1 ', '1.0', '1e3', '0x10', '1_000', 'abc', '--1', '٣'])(
    'refuses %j as a whole number',
    (text) => {
      expect(parseScalar(ScalarType.INT64, text)).toEqual({ problem: 'must be a whole number' });
    },
  );

  it.each(['', 'x', '1,5', '0x1', '1e', '.', 'Infinite', '1 2'])('refuses %j as a number', (text) => {
    expect(parseScalar(ScalarType.DOUBLE, text)).toEqual({ problem: 'must be a number' });
  });

  it('checks the range of floats and parses their special values', () => {
    expect(parseScalar(ScalarType.FLOAT, '3.5e38')).toEqual({ problem: 'is too large' });
    expect(parseScalar(ScalarType.DOUBLE, '1e400')).toEqual({ problem: 'is too large' });
    expect(parseScalar(ScalarType.FLOAT, '3.4e38')).toEqual({ value: 3.4e38 });
    expect(parseScalar(ScalarType.DOUBLE, '-Infinity')).toEqual({ value: Number.NEGATIVE_INFINITY });
    expect(parseScalar(ScalarType.FLOAT, 'NaN')).toEqual({ value: Number.NaN });
  });

  it('reads booleans as Go does and nothing else', () => {
    for (const text of ['1', 't', 'T', 'TRUE', 'true', 'True'])
      expect(parseScalar(ScalarType.BOOL, text)).toEqual({ value: true });
    for (const text of ['0', 'f', 'F', 'FALSE', 'false', 'False'])
      expect(parseScalar(ScalarType.BOOL, text)).toEqual({ value: false });
    for (const text of ['', 'yes', 'tRUE', '2', 'on'])
      expect(parseScalar(ScalarType.BOOL, text)).toHaveProperty('problem');
  });

  it('reads bytes in both alphabets, padded or not, with a + that became a space', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const base64 = Buffer.from(bytes).toString('base64');
        const spellings = [
          base64,
          base64.replace(/=+$/, ''),
          base64.replaceAll('+', '-').replaceAll('/', '_'),
          base64.replaceAll('+', ' '),
        ];
        for (const text of spellings) expect(parseScalar(ScalarType.BYTES, text)).toEqual({ value: bytes });
      }),
    );
  });

  it.each(['***', 'a', 'abcde', 'ab=c', 'YQ===', 'Y\nQ'])('refuses %j as base64', (text) => {
    expect(parseScalar(ScalarType.BYTES, text)).toEqual({ problem: 'must be base64' });
  });
});
