import { describe, expect, it } from 'vitest';
import { coinText, dayOf, momentOf, shortId, wordOf } from './format.js';

describe('formatted chain values', () => {
  it('formats dates, empty for none', () => {
    expect(dayOf('2024-01-12T00:00:00Z')).toBe('12 Jan 2024');
    expect(dayOf(null)).toBeUndefined();
    expect(dayOf('soon')).toBe('soon');
  });

  it('formats times to the second', () => {
    expect(momentOf('2024-01-01T00:00:06.123456789Z')).toBe('1 Jan 2024, 00:00:06 UTC');
    expect(momentOf(null)).toBeUndefined();
  });

  it('formats millionths without loss', () => {
    expect(coinText({ denom: 'uixo', amount: '1500000' })).toBe('1.5 IXO');
    expect(coinText({ denom: 'uixo', amount: '1' })).toBe('0.000001 IXO');
    expect(coinText({ denom: 'uixo', amount: '340282366920938463463374607431768211455' })).toBe(
      '340282366920938463463374607431768.211455 IXO',
    );
    expect(coinText({ denom: 'ibc/27', amount: '12' })).toBe('12 ibc/27');
  });

  it('shows the ends of a long id', () => {
    expect(shortId('did:ixo:entity:e0001')).toBe('did:ixo:entity:e0001');
    expect(shortId('bafkreia2cpcyr4fk5tl3swxkmdlbl37z5nwe6bn2')).toBe('bafkreia2cpcy…5nwe6bn2');
  });

  it('turns names into words', () => {
    expect(wordOf('NO_PAYMENT')).toBe('No payment');
    expect(wordOf('DISPUTE_STATUS_NEW', 'DISPUTE_STATUS_')).toBe('New');
  });
});
