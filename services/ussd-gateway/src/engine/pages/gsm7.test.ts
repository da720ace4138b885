import { describe, expect, it } from 'vitest';
import { countSeptets } from './gsm7.js';
import { fitsMessage, networkLimits } from './message-limits.js';

describe('septets', () => {
  it('count one for each character of the basic set', () => {
    expect(countSeptets('Welcome\n1. Éä?')).toBe(14);
  });

  it('count two for each character of the extension table', () => {
    for (const character of '^{}[]~\\|€') expect(countSeptets(character)).toBe(2);
  });

  it('are unknown for text outside the alphabet', () => {
    for (const character of ['ç', 'ê', '“', '`', '😀', 'я']) expect(countSeptets(character)).toBeUndefined();
  });
});

describe('one message', () => {
  it('holds 182 septets and not one more', () => {
    expect(fitsMessage('x'.repeat(182), networkLimits)).toBe(true);
    expect(fitsMessage('x'.repeat(183), networkLimits)).toBe(false);
    expect(fitsMessage('€'.repeat(91), networkLimits)).toBe(true);
    expect(fitsMessage(`${'€'.repeat(91)}x`, networkLimits)).toBe(false);
  });

  it('holds 80 characters as soon as one needs UCS-2', () => {
    expect(fitsMessage(`ç${'x'.repeat(79)}`, networkLimits)).toBe(true);
    expect(fitsMessage(`ç${'x'.repeat(80)}`, networkLimits)).toBe(false);
  });
});
