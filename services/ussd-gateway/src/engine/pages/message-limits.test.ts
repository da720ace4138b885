import { describe, expect, it } from 'vitest';
import { countSegments } from './message-limits.js';

describe('the parts of a message', () => {
  it.each([
    ['nothing', '', 1],
    ['160 septets', 'a'.repeat(160), 1],
    ['161', 'a'.repeat(161), 2],
    ['two full parts', 'a'.repeat(306), 2],
    ['one more than that', 'a'.repeat(307), 3],
    ['80 escaped characters', '€'.repeat(80), 1],
    ['an escape that would be divided', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
    ['70 units of UCS-2', 'ж'.repeat(70), 1],
    ['71', 'ж'.repeat(71), 2],
    ['70 letters and one that needs UCS-2', `${'a'.repeat(70)}ж`, 2],
    ['35 pairs of surrogates', '😀'.repeat(35), 1],
    ['pairs that would be divided', '😀'.repeat(67), 3],
  ])('are counted as in networks: %s', (_what, text, parts) => {
    expect(countSegments(text)).toBe(parts);
  });
});
