import type { EntryScreen } from '../../../engine/flow.js';
import { accountFacts } from '../account-facts.js';
import { samePin } from '../entries/same-pin.js';

export const confirmNewPin: EntryScreen = {
  kind: 'entry',
  lines: ['confirmNewPin'],
  options: [],
  navigation: [{ key: '0', label: 'back', to: 'newPin' }],
  keeps: accountFacts,
  authenticated: true,
  holdsSecret: true,
  entry: {
    name: 'pinAgain',
    secret: true,
    rule: samePin,
    refusals: { differs: { to: 'newPin', reason: 'pinsDiffer' } },
    next: { effect: 'changePin', results: { changed: { to: 'userMenu', reason: 'pinChanged' } } },
  },
};
