import type { EntryScreen } from '../../../engine/flow.js';
import { email } from '../entries/email.js';

export const emailEntry: EntryScreen = {
  kind: 'entry',
  lines: ['enterEmail'],
  options: [{ key: '00', label: 'skip', to: 'pinEntry' }],
  navigation: [{ key: '0', label: 'back', to: 'nameEntry' }],
  keeps: ['name'],
  entry: {
    name: 'email',
    secret: false,
    rule: email,
    refusals: { form: { reason: 'emailForm' } },
    next: { to: 'pinEntry' },
  },
};
