import { keyringOf } from '@mlango/crypto/keyring';
import type { RunEffect } from '../effects/effect.js';
import { defaultFlow } from '../flows/default-flow.fixture.js';
import type { HopRules } from './decide-reply.js';
import { outsideOf } from './outside.fixture.js';
import { sessionSecrets } from './session-secrets.js';

const setLanguage: RunEffect = async ({ language, with: chosen }) => ({
  result: 'set',
  language: chosen['language'] ?? language,
});

/** Rules for hops without accounts, with the language as the only choice. */
export function menuHopRules(change: Partial<HopRules> = {}): HopRules {
  const keyring = keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 3) }]);
  return {
    flows: [defaultFlow],
    facts: { appName: 'Mlango' },
    textMode: 'auto',
    secrets: sessionSecrets(keyring),
    outside: outsideOf({ effects: { setLanguage } }),
    ...change,
  };
}
