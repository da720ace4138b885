import type { MenuScreen } from '../../../engine/flow.js';

export const foundIds: MenuScreen = {
  kind: 'menu',
  lines: ['yourCustomerIds'],
  options: [],
  navigation: [{ key: '0', label: 'back', to: 'customerIdEntry' }],
  keeps: ['customerIds'],
};
