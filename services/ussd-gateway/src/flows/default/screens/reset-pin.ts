import type { EntryScreen } from '../../../engine/flow.js';
import { newPin, newPinRefusals } from '../entries/new-pin.js';

/** After a one-time code: nobody is logged in before there is a new PIN. */
export const resetPin: EntryScreen = {
  kind: 'entry',
  lines: ['enterNewPin'],
  options: [],
  navigation: [{ key: '0', label: 'back', to: 'accountMenu' }],
  keeps: ['customerId', 'codeGrant'],
  entry: {
    name: 'pin',
    secret: true,
    rule: newPin,
    refusals: newPinRefusals,
    next: { to: 'confirmResetPin' },
  },
};
