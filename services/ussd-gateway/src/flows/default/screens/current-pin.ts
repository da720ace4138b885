import type { EntryScreen } from '../../../engine/flow.js';
import { accountFacts } from '../account-facts.js';
import { currentPin as rule } from '../entries/current-pin.js';

/** The first step of a change of PIN: a phone that was left logged in is not enough. */
export const currentPin: EntryScreen = {
  kind: 'entry',
  lines: ['enterCurrentPin'],
  options: [],
  navigation: [{ key: '0', label: 'back', to: 'userMenu' }],
  keeps: accountFacts,
  authenticated: true,
  entry: {
    name: 'pin',
    secret: true,
    rule,
    refusals: { form: { reason: 'pinForm' } },
    next: {
      effect: 'checkPin',
      results: { right: { to: 'newPin' }, wrong: { reason: 'wrongPin' }, locked: { reason: 'locked' } },
    },
  },
};
