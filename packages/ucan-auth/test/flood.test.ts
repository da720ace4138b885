import { describe, expect, it } from 'vitest';
import { createUcanAuth } from '../src/auth.js';
import { cachingDidResolver } from '../src/dids/caching-did-resolver.js';
import { signerFromSeed } from '../src/mint/minting.js';
import { NOW, ORACLE, token } from './forge.js';

const longText = 'A'.repeat(8000);

describe('more tokens at once than may wait', () => {
  it('are turned away as unavailable, the longest first: a short honest one gets in', async () => {
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

describe('more tokens of one unknown DID than may wait for its keys', () => {
  it('are unavailable, and the source is asked once', async () => {
    let asked = 0;
    let turnedAway = 0;
    let answer: (documents: []) => void = () => {};
    // Answers when all that there is no room for have been turned away.
    const source = () => {
      asked += 1;
      return new Promise<[]>((resolve) => {
        answer = resolve;
      });
    };
    const resolver = cachingDidResolver('ixo', source, { waitingLimit: 20 });
    const auth = createUcanAuth({ audiences: [ORACLE], now: () => NOW, resolvers: [resolver] });
    const signer = signerFromSeed('66'.repeat(32), 'did:ixo:ixo1nobody');
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
    // One asks, and five wait for what it gets: a quarter of all that may.
    expect([count('unknown_issuer'), count('unavailable')]).toEqual([6, 4]);
    expect(asked).toBe(1);
  });
});
