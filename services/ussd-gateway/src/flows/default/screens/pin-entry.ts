import type { EntryScreen } from '../../../engine/flow.js';
import { newPin } from '../entries/new-pin.js';

/** The first of the two times that a new PIN is typed. */
export const pinEntry: EntryScreen = {
  kind: 'entry',
  lines: ['createPin'],
  options: [],
  navigation: [{ key: '0', label: 'back', to: 'emailEntry' }],
  keeps: ['name', 'email'],
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
    next: { to: 'confirmPin' },
  },
};
