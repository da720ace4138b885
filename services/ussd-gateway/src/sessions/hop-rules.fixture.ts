import { keyringOf } from '@mlango/crypto/keyring';
import { defaultFlow } from '../flows/default/flow.js';
import type { HopRules } from './answer-hop.js';
import { outsideOf } from './outside.fixture.js';
import { sessionSecrets } from './session-secrets.js';
import { textMacs } from './text-mac.js';

/** Rules for hops that want no account. */
export function menuHopRules(change: Partial<HopRules> = {}): HopRules {
  const keyring = keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 3) }]);
  return {
    flows: [defaultFlow],
    facts: { appName: 'Mlango' },
    textMode: 'auto',
    macs: textMacs(keyring),
    secrets: sessionSecrets(keyring),
    outside: outsideOf({}),
    ...change,
  };
}
