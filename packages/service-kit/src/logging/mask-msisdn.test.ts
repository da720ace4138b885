import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskMsisdn } from './mask.js';

describe('maskMsisdn', () => {
  it('keeps the prefix and the last three digits', () => {
    expect(maskMsisdn('+260971234567')).toBe('+26097****567');
    expect(maskMsisdn('260971234567')).toBe('26097****567');
  });

  it('hides a number that is too short to show any part of', () => {
    expect(maskMsisdn('+1234567')).toBe('****');
  });

  it('always hides at least one digit, for any number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+[1-9]\d{6,14}$/), (msisdn) => {
        expect(maskMsisdn(msisdn)).not.toContain(msisdn.slice(1));
        expect(maskMsisdn(msisdn).replace(/\D/g, '').length).toBeLessThan(msisdn.length - 1);
      }),
    );
  });
});
