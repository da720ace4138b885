import { createLogger } from '@mlango/service-kit/logging';
import { describe, expect, it } from 'vitest';
import type { LanguageChoice } from './account-store.js';
import { KnownLanguages } from './known-languages.js';
import { MemoryAccountStore } from './memory-account-store.js';

const logger = createLogger({ service: 'test', level: 'silent' });

/** Two processes on one store, with a clock that the test turns. */
function open(options: { maxChoices?: number } = {}) {
  let nowMs = 1_700_000_000_000;
  const store = new MemoryAccountStore(() => nowMs);
  const make = () => new KnownLanguages({ store, logger, now: () => nowMs, ...options });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { store, here: make(), there: make(), pass };
}

describe('known languages', () => {
  it('know nothing before they were read, and then who made no choice as well', async () => {
    const { store, here } = open();
    await store.setLanguage('+1', 'sw');
    expect(here.isCurrent).toBe(false);
    await here.refresh();
    expect([here.isCurrent, here.of('+1'), here.of('+2')]).toEqual([true, 'sw', undefined]);
  });

  it('hold more choices than one page', async () => {
    const { store, here } = open();
    for (let phone = 0; phone < 4500; phone++) await store.setLanguage(`+${phone}`, 'fr');
    await here.refresh();
    expect(new Set(Array.from({ length: 4500 }, (_, phone) => here.of(`+${phone}`)))).toEqual(new Set(['fr']));
  });

  it('know a choice of this process at once, and one of another after the next look', async () => {
    const { store, here, there, pass } = open();
    await Promise.all([here.refresh(), there.refresh()]);
    await store.setLanguage('+1', 'sw');
    here.learn('+1', 'sw');
    expect([here.of('+1'), there.of('+1')]).toEqual(['sw', undefined]);
    pass(1000);
    await there.refresh();
    expect(there.of('+1')).toBe('sw');
    await store.setLanguage('+1', 'fr');
    pass(1000);
    await Promise.all([here.refresh(), there.refresh()]);
    expect([here.of('+1'), there.of('+1')]).toEqual(['fr', 'fr']);
  });

  it('find a choice that became visible after a younger one', async () => {
    const { store, here, pass } = open();
    let hidden: LanguageChoice[] = [];
    const list = store.listChoices.bind(store);
    store.listChoices = async (after, limit) => (await list(after, limit)).filter((each) => !hidden.includes(each));
    await store.setLanguage('+1', 'sw');
    hidden = [...(await list(undefined, 10))];
    pass(2000);
    await store.setLanguage('+2', 'sw');
    await here.refresh();
    hidden = [];
    await here.refresh();
    expect(here.of('+1')).toBe('sw');
  });

  it('do not put an older choice that was being read in the place of one made here meanwhile', async () => {
    const { store, here } = open();
    await store.setLanguage('+1', 'sw');
    const list = store.listChoices.bind(store);
    store.listChoices = async (after, limit) => {
      const page = await list(after, limit);
      here.learn('+1', 'fr');
      return page;
    };
    await here.refresh();
    expect(here.of('+1')).toBe('fr');
  });

  it('count no more once the store was away for a while, and again when it is back', async () => {
    const { store, here, pass } = open();
    await here.refresh();
    const list = store.listChoices.bind(store);
    store.listChoices = () => Promise.reject(new Error('away'));
    pass(6000);
    await here.refresh();
    expect(here.isCurrent).toBe(false);
    store.listChoices = list;
    await here.refresh();
    expect(here.isCurrent).toBe(true);
  });

  it('keep no more than they may: then nothing is known, and nothing is kept', async () => {
    const { store, here } = open({ maxChoices: 2 });
    for (const phone of ['+1', '+2', '+3']) await store.setLanguage(phone, 'sw');
    await here.refresh();
    here.learn('+4', 'fr');
    expect([here.isCurrent, here.of('+1'), here.of('+4')]).toEqual([false, undefined, undefined]);
  });
});
