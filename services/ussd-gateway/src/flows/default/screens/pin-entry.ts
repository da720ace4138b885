import type { EntryScreen } from '../../../engine/flow.js';
import { newPin, newPinRefusals } from '../entries/new-pin.js';

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
    refusals: newPinRefusals,
    next: { to: 'confirmPin' },
  },
};
