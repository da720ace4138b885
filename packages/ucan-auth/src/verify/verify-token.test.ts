import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { KeyResolution } from '../dids/did-resolver.js';
import { KeyBudget } from './verify-token.js';

const found: KeyResolution = { ok: true, keys: [] };
const unavailable: KeyResolution = { ok: false, code: 'unavailable' };
const foundAfter = (ms: number) => () =>
  new Promise<KeyResolution>((resolve) => {
    setTimeout(resolve, ms, found);
  });

describe('a key budget', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('bounds all lookups of a request together', async () => {
    const budget = new KeyBudget({ timeoutMs: 1900 });
    const spent: KeyResolution[] = [];
    const all = (async () => {
      for (let turn = 0; turn < 4; turn++) spent.push(await budget.spendOn(foundAfter(800)));
    })();
    await vi.advanceTimersByTimeAsync(1899);
    expect(spent).toEqual([found, found]);
    await vi.advanceTimersByTimeAsync(1);
    await all;
    expect(spent).toEqual([found, found, unavailable, unavailable]);
  });

  it('starts no lookup after the time limit', async () => {
    const budget = new KeyBudget({ timeoutMs: 0 });
    const lookUp = vi.fn<() => Promise<KeyResolution>>(foundAfter(0));
    expect(await budget.spendOn(lookUp)).toEqual(unavailable);
    expect(lookUp).not.toHaveBeenCalled();
  });
});
