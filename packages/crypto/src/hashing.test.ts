import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { constantTimeEqual } from './equality.js';
import { hmacSha256, sha3Mac, sha256, sha256Hex } from './hashing.js';

describe('hashing', () => {
  it('returns the SHA-256 of FIPS 180-4', () => {
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(sha256Hex('abc')).toBe(abc);
    expect(sha256(Buffer.from('abc')).toString('hex')).toBe(abc);
  });

  it('returns MACs that are SHA3-256 of the key in hex and the text, and differ by either', () => {
    const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const mac = sha3Mac(key);
    const whole = createHash('sha3-256')
      .update(`${'01'.repeat(32)}2*12345é`)
      .digest('base64url');
    expect(mac('2*12345é')).toBe(whole);
    expect(mac('2*12345')).not.toBe(whole);
    expect(sha3Mac(other)('2*12345é')).not.toBe(whole);
  });

  it('returns the HMAC-SHA-256 of RFC 4231, test case 2', () => {
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
