import type { MenuScreen } from '../../../engine/flow.js';
import { accountFacts } from '../account-facts.js';

export const myDetails: MenuScreen = {
  kind: 'menu',
  lines: ['detailsName', 'detailsCustomerId', 'detailsPhone', 'detailsEmail'],
  options: [],
  navigation: [{ key: '0', label: 'back', to: 'userMenu' }],
  keeps: accountFacts,
  authenticated: true,
};
