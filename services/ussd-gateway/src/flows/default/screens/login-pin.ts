import type { EntryScreen } from '../../../engine/flow.js';
import { currentPin } from '../entries/current-pin.js';

export const loginPin: EntryScreen = {
  kind: 'entry',
  lines: ['enterPin'],
  options: [],
  navigation: [{ key: '0', label: 'back', to: 'customerIdEntry' }],
  keeps: ['customerId'],
  entry: {
    name: 'pin',
    secret: true,
    rule: currentPin,
    refusals: { form: { reason: 'pinForm' } },
    next: {
      effect: 'logIn',
      results: { right: { to: 'userMenu' }, wrong: { reason: 'wrongLogin' }, locked: { reason: 'locked' } },
    },
  },
};
