import { describe, expect, it } from 'vitest';
import { constantTimeEqual } from './equality.js';
import { hmacSha256, sha256, sha256Hex } from './hashing.js';

describe('hashing', () => {
  it('gives the SHA-256 of FIPS 180-4', () => {
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(sha256Hex('abc')).toBe(abc);
    expect(sha256(Buffer.from('abc')).toString('hex')).toBe(abc);
  });

  it('gives the HMAC-SHA-256 of RFC 4231, test case 2', () => {
    const mac = hmacSha256('Jefe', 'what do ya want for nothing?').toString('hex');
    expect(mac).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
  });
});

describe('constantTimeEqual', () => {
  it('compares text and bytes of any length', () => {
    expect(constantTimeEqual('secret', 'secret')).toBe(true);
    expect(constantTimeEqual('secret', Buffer.from('secret'))).toBe(true);
    expect(constantTimeEqual('', '')).toBe(true);
    expect(constantTimeEqual('secret', 'secret ')).toBe(false);
    expect(constantTimeEqual('', 'secret')).toBe(false);
    expect(constantTimeEqual('\u00e9', 'e\u0301')).toBe(false);
  });
});
