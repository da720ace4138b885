import type { MenuScreen } from '../../../engine/flow.js';

export const accountCreated: MenuScreen = {
  kind: 'menu',
  lines: ['created', 'yourCustomerId', 'saveCustomerId'],
  options: [],
  navigation: [{ key: '1', label: 'backToAccountMenu', to: 'accountMenu' }],
  keeps: ['customerId'],
};
