import { randomBytes } from 'node:crypto';
import { keyringOf } from '@mlango/crypto/keyring';
import { createLogger } from '@mlango/service-kit/logging';
import { describe, expect, it } from 'vitest';
import { accountHopEffects } from './account-hop-effects.js';
import { KnownLanguages } from './known-languages.js';
import { MemoryAccountStore } from './memory-account-store.js';
import { pinVault } from './pin-vault.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const vault = pinVault(keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 1) }]));
const phoneNumber = '+260971230567';

function open() {
  const store = new MemoryAccountStore();
  const known = new KnownLanguages({ store, logger });
  const asked: (readonly string[])[] = [];
  const find = store.findLanguages.bind(store);
  store.findLanguages = (phones) => {
    asked.push(phones);
    return find(phones);
  };
  const limits = { attempts: 3, lockMs: 900_000 };
  const effects = accountHopEffects({
    store,
    vault,
    limits,
    accountsPerDay: 3,
    randomBytes,
    clock: Date.now,
    logger,
    known,
  });
  const choose = (language: string) =>
    effects.run({
      ...{ effect: 'setLanguage', key: 'k', phoneNumber, language, with: { language } },
      ...{ account: undefined, entries: {}, secret: undefined },
    });
  return { store, known, effects, asked, choose };
}

describe('the language of a dial', () => {
  it('is asked of the store as long as not all choices are known', async () => {
    const { store, effects, asked } = open();
    await store.setLanguage(phoneNumber, 'sw');
    expect(await effects.languageOf(phoneNumber)).toBe('sw');
    expect(asked).toEqual([[phoneNumber]]);
  });

  it('is known without asking once they are, also that there is no choice, and a new one at once', async () => {
    const { known, effects, asked, choose } = open();
    await known.refresh();
    expect(await effects.languageOf(phoneNumber)).toBeUndefined();
    await choose('fr');
    expect(await effects.languageOf(phoneNumber)).toBe('fr');
    expect(asked).toEqual([]);
  });
});
