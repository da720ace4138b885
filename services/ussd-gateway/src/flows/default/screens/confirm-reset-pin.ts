import type { EntryScreen } from '../../../engine/flow.js';
import { samePin } from '../entries/same-pin.js';

export const confirmResetPin: EntryScreen = {
  kind: 'entry',
  lines: ['confirmNewPin'],
  options: [],
  navigation: [{ key: '0', label: 'back', to: 'resetPin' }],
  keeps: ['customerId', 'codeGrant'],
  holdsSecret: true,
  entry: {
    name: 'pinAgain',
    secret: true,
    rule: samePin,
    refusals: { differs: { to: 'resetPin', reason: 'pinsDiffer' } },
    next: {
      effect: 'resetPin',
      results: { changed: { to: 'userMenu', reason: 'pinChanged' }, over: { to: 'accountMenu', reason: 'codeOver' } },
    },
  },
};
