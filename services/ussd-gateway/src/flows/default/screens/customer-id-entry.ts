import type { EntryScreen } from '../../../engine/flow.js';
import { customerId } from '../entries/customer-id.js';

/** Leads on whether the id exists or not: nobody learns here which ones do. */
export const customerIdEntry: EntryScreen = {
  kind: 'entry',
  lines: ['enterCustomerId'],
  // Not printed: who types what is no id is told of it.
  options: [{ key: '00', to: 'forgottenId' }],
  navigation: [{ key: '0', label: 'back', to: 'accountMenu' }],
  entry: {
    name: 'customerId',
    secret: false,
    rule: customerId,
    refusals: { form: { reason: 'customerIdForm' } },
    next: { to: 'loginPin' },
  },
};
