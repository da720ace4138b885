import { describe, expect, it } from 'vitest';
import { createUcanAuth } from '../src/auth.js';
import { cachingDidResolver } from '../src/dids/caching-did-resolver.js';
import { signerFromSeed } from '../src/mint/minting.js';
import { NOW, ORACLE, token } from './forge.js';

const longText = 'A'.repeat(8000);

describe('concurrent tokens beyond the waiting limit', () => {
  it('are unavailable, the longest first, so a short one is accepted', async () => {
    const auth = createUcanAuth({ audiences: [ORACLE], now: () => NOW, waitingLimit: 20 });
    const flood = Array.from({ length: 100 }, (_, index) => auth.invocation(`${longText}${index}`));
    const honest = auth.request({ authorization: `Bearer ${await token({})}`, 'x-auth-type': 'ucan' });
    const codes = (await Promise.all(flood)).map((result) => (result.ok ? 'ok' : result.code));
    expect(codes.filter((code) => code === 'unavailable').length).toBeGreaterThanOrEqual(79);
    expect(codes.filter((code) => code === 'ok')).toEqual([]);
    expect((await honest).ok).toBe(true);
  });

  it('are answered with 503 and Retry-After', async () => {
    const auth = createUcanAuth({ audiences: [ORACLE], now: () => NOW, waitingLimit: 0 });
    const bearer = (index: number) => ({ authorization: `Bearer ${longText}${index}`, 'x-auth-type': 'ucan' });
    const outcomes = await Promise.all([0, 1].map((index) => auth.request(bearer(index))));
    const failures = outcomes.map((outcome) => (outcome.ok ? undefined : outcome.failure));
    expect(failures.map((failure) => failure?.status)).toEqual([401, 503]);
    expect(failures[1]?.headers['retry-after']).toBe('2');
  });
});

describe('concurrent tokens of one unknown DID beyond the waiting limit', () => {
  it('are unavailable, with one lookup', async () => {
    let lookups = 0;
    let turnedAway = 0;
    let answer: (documents: []) => void = () => {};
    // Responds after all tokens beyond the limit are rejected.
    const source = () => {
      lookups += 1;
      return new Promise<[]>((resolve) => {
        answer = resolve;
      });
    };
    const resolver = cachingDidResolver('ixo', source, { waitingLimit: 20 });
    const auth = createUcanAuth({ audiences: [ORACLE], now: () => NOW, resolvers: [resolver] });
    const signer = signerFromSeed('66'.repeat(32), 'did:ixo:ixo1unknown');
    const tokens = await Promise.all(Array.from({ length: 10 }, (_, index) => token({ signer, nnc: `${index}` })));
    const results = await Promise.all(
      tokens.map(async (text) => {
        const result = await auth.invocation(text);
        if (!result.ok && result.code === 'unavailable') turnedAway += 1;
        if (turnedAway === 4) answer([]);
        return result;
      }),
    );
    const count = (code: string) => results.filter((result) => !result.ok && result.code === code).length;
    // One lookup, joined by five callers: a quarter of the limit.
    expect([count('unknown_issuer'), count('unavailable')]).toEqual([6, 4]);
    expect(lookups).toBe(1);
  });
});
