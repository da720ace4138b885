import type { EntryScreen } from '../../../engine/flow.js';
import { currentPin } from '../entries/current-pin.js';

/** For who forgot the Customer ID: the PIN, on the phone that the account is of. */
export const forgottenId: EntryScreen = {
  kind: 'entry',
  lines: ['enterPin'],
  options: [],
  navigation: [{ key: '0', label: 'back', to: 'customerIdEntry' }],
  entry: {
    name: 'pin',
    secret: true,
    rule: currentPin,
    refusals: { form: { reason: 'pinForm' } },
    next: {
      effect: 'findIds',
      results: { found: { to: 'foundIds' }, wrong: { reason: 'wrongPin' }, locked: { reason: 'locked' } },
    },
  },
};
