import type { Facts } from '../../engine/flow.js';
import { shownName } from './shown-name.js';

const fixed = {
  phoneNumber: `+${'9'.repeat(15)}`,
  customerId: 'C00000000',
  attemptsLeft: '2',
  minutes: '1440',
  customerIds: 'C00000000, C00000000, C00000000, C00000000, C00000000',
};

const nameOf = (name: string) => ({ name, shownName: shownName(name) });

/** The longest that subscribers can type: in the GSM alphabet, where it costs two septets each, and outside of it. */
export const longestFacts: readonly Facts[] = [
  { ...fixed, ...nameOf('W'.repeat(100)), email: `${'w'.repeat(64)}@${'w'.repeat(32)}.ke` },
  { ...fixed, ...nameOf('Ana Maria '.repeat(10)), email: `${'~'.repeat(64)}@${'w'.repeat(32)}.ke` },
  { ...fixed, ...nameOf('ŵ'.repeat(100)), email: '-' },
  { ...fixed, ...nameOf('𞤀'.repeat(100)), email: `${'^'.repeat(64)}@${'w'.repeat(32)}.ke` },
];
