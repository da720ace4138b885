import { describe, expect, it } from 'vitest';
import { isOwnAddress, isPublicAddress } from './public-address.js';

describe('isPublicAddress', () => {
  it.each(['93.184.215.14', '8.8.8.8', '172.32.0.1', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '2a00:1450::1'])(
    'is true of %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd12:3456::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001::1',
    '::7f00:1',
    '4000::1',
    'fe80::1%eth0',
    'localhost',
    '',
    '1.2.3.4/8',
  ])('is false of %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("the address of a cloud's agent", () => {
  it.each([
    '168.63.129.16',
    '100.100.100.200',
    '100.96.0.96',
    '192.0.0.192',
    '169.254.169.254',
    '169.254.170.2',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd00:ec2::fd',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:42::42',
    'FD00:0EC2:0000::254',
    'fd00:a9fe:a9fe::1',
    '::ffff:168.63.129.16',
    '::ffff:a83f:8110',
    '::ffff:6464:64c8',
    '64:ff9b::a83f:8110',
    '2002:a83f:8110::',
    '::168.63.129.16',
  ])('%s is neither public nor private', (address) => {
    expect([isPublicAddress(address), isOwnAddress(address)]).toEqual([false, false]);
  });

  it('excludes no neighbouring addresses', () => {
    for (const address of ['168.63.129.15', '168.63.129.17']) expect(isPublicAddress(address)).toBe(true);
    for (const address of ['100.100.100.199', 'fd00:ec3::254', 'fd00::1']) expect(isOwnAddress(address)).toBe(true);
  });
});
