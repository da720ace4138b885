import type { EntryScreen } from '../../../engine/flow.js';
import { fullName } from '../entries/full-name.js';

export const nameEntry: EntryScreen = {
  kind: 'entry',
  lines: ['enterName'],
  options: [],
  navigation: [{ key: '0', label: 'back', to: 'accountMenu' }],
  entry: {
    name: 'name',
    secret: false,
    rule: fullName,
    refusals: { length: { reason: 'nameLength' }, characters: { reason: 'nameCharacters' } },
    next: { to: 'emailEntry' },
  },
};
