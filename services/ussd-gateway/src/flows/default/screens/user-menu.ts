import type { MenuScreen } from '../../../engine/flow.js';
import { accountFacts } from '../account-facts.js';

/** The menu of a subscriber who is logged in. */
export const userMenu: MenuScreen = {
  kind: 'menu',
  lines: ['welcomeName'],
  options: [
    { key: '1', label: 'myDetails', to: 'myDetails' },
    { key: '2', label: 'changePin', to: 'currentPin' },
    { key: '3', label: 'language', to: 'languageMenu' },
  ],
  navigation: [
    { key: '9', label: 'logOut', to: 'accountMenu', reason: 'loggedOut' },
    { key: '*', label: 'exit', to: 'closed' },
  ],
  keeps: accountFacts,
  authenticated: true,
};
