import type { EntryScreen } from '../../../engine/flow.js';
import { samePin } from '../entries/same-pin.js';

/** The second time; the account is created here. */
export const confirmPin: EntryScreen = {
  kind: 'entry',
  lines: ['confirmPin'],
  options: [],
  navigation: [{ key: '0', label: 'back', to: 'pinEntry' }],
  keeps: ['name', 'email'],
  holdsSecret: true,
  entry: {
    name: 'pinAgain',
    secret: true,
    rule: samePin,
    refusals: { differs: { to: 'pinEntry', reason: 'pinsDiffer' } },
    next: {
      effect: 'createAccount',
      results: { created: { to: 'accountCreated' }, limited: { to: 'accountMenu', reason: 'accountsLimited' } },
    },
  },
};
