import type { EntryScreen } from '../../../engine/flow.js';
import { pinOrCode } from '../entries/pin-or-code.js';

export const loginPin: EntryScreen = {
  kind: 'entry',
  lines: ['enterPin'],
  options: [],
  navigation: [{ key: '0', label: 'back', to: 'customerIdEntry' }],
  keeps: ['customerId'],
  entry: {
    name: 'pin',
    secret: true,
    rule: pinOrCode,
    refusals: { form: { reason: 'pinForm' } },
    next: {
      effect: 'logIn',
      results: {
        right: { to: 'userMenu' },
        code: { to: 'resetPin' },
        wrong: { reason: 'wrongLogin' },
        locked: { reason: 'locked' },
      },
    },
  },
};
