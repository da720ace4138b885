import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGrpcTimeout } from './grpc-timeout.js';

describe('parseGrpcTimeout', () => {
  it.each([
    ['1H', 3_600_000],
    ['2M', 120_000],
    ['3S', 3000],
    ['1009m', 1009],
    ['1000003u', 1000],
    ['100000007n', 100],
    ['0S', 0],
  ])('reads %s as %i ms', (text, expected) => {
    expect(parseGrpcTimeout(text)).toBe(expected);
  });

  it('limits a time beyond the longest timer, instead of ignoring it', () => {
    expect(parseGrpcTimeout('99999999H')).toBe(2 ** 31 - 1);
    expect(parseGrpcTimeout('2147483648m')).toBe(2 ** 31 - 1);
  });

  it.each(['', 'S', '1', '1.5S', '-1S', '+1S', ' 1S', '1 S', '1s', '1h', 'INVALID', '1SS'])('refuses %j', (text) => {
    expect(parseGrpcTimeout(text)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseGrpcTimeout(text)));
  });
});
