import { isIPv6 } from 'node:net';
import rateLimit from '@fastify/rate-limit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressKey } from './client-address.js';

describe('addressKey', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8::7', '2001:db8:0:0::'],
    ['2001:DB8:0:0:ffff:1:2:3', '2001:db8:0:0::'],
    ['2001:db8:0:1::7', '2001:db8:0:1::'],
    ['fe80::1%eth0', 'fe80:0:0:0::'],
    ['::1', '0:0:0:0::'],
    // Values that a proxy may forward.
    ['unknown', 'unknown'],
    ['a:b', 'a:b'],
    ['', ''],
  ])('counts %s as %s', (address, key) => expect(addressKey(address)).toBe(key));

  it('groups addresses like the limiter itself', () => {
    const groups = fc.array(fc.integer({ min: 0, max: 0xff_ff }), { minLength: 8, maxLength: 8 });
    const near = fc
      .tuple(groups, fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 0xff_ff }))
      .map(([parts, at, other]) =>
        [parts, parts.with(at, other)].map((all) => all.map((n) => n.toString(16)).join(':')),
      );
    fc.assert(
      fc.property(near, ([left = '', right = '']) => {
        expect(addressKey(left) === addressKey(right)).toBe(
          rateLimit.normalizeIP(left) === rateLimit.normalizeIP(right),
        );
      }),
    );
  });

  it('has a key for every IPv6 address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        expect(isIPv6(address) && addressKey(address)).toBeTruthy();
      }),
    );
  });
});
