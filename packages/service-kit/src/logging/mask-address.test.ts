import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskAddress } from './mask.js';

describe('maskAddress', () => {
  it.each([
    ['192.0.2.7', '192.0.2.x'],
    ['::ffff:192.0.2.7', '192.0.2.x'],
    ['2001:db8:1:2::7', '2001:db8:1:x'],
    ['fe80::1%eth0', 'fe80:0:0:x'],
    ['a caller', 'unknown'],
    ['', 'unknown'],
  ])('of %s shows %s', (address, masked) => expect(maskAddress(address)).toBe(masked));

  it('is the same for all addresses of a network', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.nat(255), (address, last) => {
        const neighbour = address.replace(/\d+$/, String(last));
        expect(maskAddress(neighbour)).toBe(maskAddress(address));
      }),
    );
  });

  it('has a result for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(maskAddress(text)).toMatch(/^(unknown|[\d.a-f:]+x)$/);
      }),
    );
  });
});
