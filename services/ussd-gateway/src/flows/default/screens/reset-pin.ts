import type { EntryScreen } from '../../../engine/flow.js';
import { newPin } from '../entries/new-pin.js';

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
    refusals: {
      form: { reason: 'pinForm' },
      repeated: { reason: 'pinRepeated' },
      run: { reason: 'pinRun' },
      phone: { reason: 'pinPhone' },
    },
    next: { to: 'confirmResetPin' },
  },
};
