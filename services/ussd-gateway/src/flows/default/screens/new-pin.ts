import type { EntryScreen } from '../../../engine/flow.js';
import { accountFacts } from '../account-facts.js';
import { newPin as rule } from '../entries/new-pin.js';

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
    refusals: {
      form: { reason: 'pinForm' },
      repeated: { reason: 'pinRepeated' },
      run: { reason: 'pinRun' },
      phone: { reason: 'pinPhone' },
    },
    next: { to: 'confirmNewPin' },
  },
};
