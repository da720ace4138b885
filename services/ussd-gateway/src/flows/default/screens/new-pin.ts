import type { EntryScreen } from '../../../engine/flow.js';
import { accountFacts } from '../account-facts.js';
import { newPinRefusals, newPin as rule } from '../entries/new-pin.js';

export const newPin: EntryScreen = {
  kind: 'entry',
  lines: ['enterNewPin'],
  options: [],
  navigation: [{ key: '0', label: 'back', to: 'userMenu' }],
  keeps: accountFacts,
  authenticated: true,
  entry: {
    name: 'pin',
    secret: true,
    rule,
    refusals: newPinRefusals,
    next: { to: 'confirmNewPin' },
  },
};
