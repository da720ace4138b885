import { describe, expect, it } from 'vitest';
import { TokenCache } from './token-cache.js';

/** A wallet that signs on demand, and tokens with the given lifetime on a manual clock. */
function wallet(lifeMs: number, { unitMs = 1 } = {}) {
  const clock = { nowMs: 1_800_000_000_000 };
  const signed: string[] = [];
  const waiting: ((error?: Error) => void)[] = [];
  const artifacts = new TokenCache({
    nowMs: () => clock.nowMs,
    marginMs: 60_000,
    sign: (oracleDid) =>
      new Promise((resolve, reject) => {
        waiting.push((error) => {
          if (error !== undefined) reject(error);
          const serialized = `${oracleDid} ${signed.length}`;
          signed.push(serialized);
          resolve({ serialized, expiresAt: (clock.nowMs + lifeMs) / unitMs });
        });
      }),
  });
  const get = (oracleDid = 'a') => {
    const token = artifacts.get(oracleDid);
    waiting.splice(0).map((sign) => sign());
    return token;
  };
  return { artifacts, clock, signed, waiting, get };
}

describe('signed artifacts', () => {
  it.each([
    ['milliseconds', 1],
    ['seconds', 1_000],
  ])('are renewed a minute before expiry, given in %s', async (_, unitMs) => {
    const { clock, get } = wallet(300_000, { unitMs });
    expect(await get()).toBe('a 0');
    clock.nowMs += 239_000;
    expect(await get()).toBe('a 0');
    clock.nowMs += 2_000;
    expect(await get()).toBe('a 1');
  });

  it('are used for half of their life when that is shorter', async () => {
    const { clock, get } = wallet(40_000);
    await get();
    clock.nowMs += 19_000;
    expect(await get()).toBe('a 0');
    clock.nowMs += 2_000;
    expect(await get()).toBe('a 1');
  });

  it('are signed once for concurrent callers, and separately for each oracle', async () => {
    const { artifacts, signed, waiting } = wallet(300_000);
    const all = [artifacts.get('a'), artifacts.get('a'), artifacts.get('b')];
    for (const sign of waiting) sign();
    expect(await Promise.all(all)).toEqual(['a 0', 'a 0', 'b 1']);
    expect(signed).toHaveLength(2);
  });

  it('are requested again after a wallet refusal', async () => {
    const { artifacts, waiting, get } = wallet(300_000);
    const refused = artifacts.get('a');
    waiting.splice(0).map((sign) => sign(new Error('not today')));
    await expect(refused).rejects.toThrow('not today');
    expect(await get()).toBe('a 1');
  });

  it('are dropped when refused, but not when renewed since', async () => {
    const { artifacts, get } = wallet(300_000);
    const first = await get();
    artifacts.drop('a', first);
    const second = await get();
    expect(second).not.toBe(first);
    artifacts.drop('a', first);
    expect(await get()).toBe(second);
  });
});
