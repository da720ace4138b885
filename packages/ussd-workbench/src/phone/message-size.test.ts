import { describe, expect, it } from 'vitest';
import { sizeOf } from './message-size.js';

describe('the size of a USSD message', () => {
  it('is a septet a character, and two for those of the extension table', () => {
    expect(sizeOf('Welcome')).toEqual({ unit: 'septets', used: 7, limit: 182 });
    expect(sizeOf('[€]')).toEqual({ unit: 'septets', used: 6, limit: 182 });
    expect(sizeOf('')).toEqual({ unit: 'septets', used: 0, limit: 182 });
  });

  it('is counted in UCS-2 characters once one letter needs it', () => {
    expect(sizeOf('Zoë ŵ')).toEqual({ unit: 'characters', used: 5, limit: 80 });
    expect(sizeOf('👋')).toEqual({ unit: 'characters', used: 2, limit: 80 });
  });
});
