import type { MenuScreen } from '../../../engine/flow.js';
import { accountFacts } from '../account-facts.js';
import { languageOptions } from '../language-options.js';

export const languageMenu: MenuScreen = {
  kind: 'menu',
  lines: ['chooseLanguage'],
  options: languageOptions('userMenu'),
  navigation: [{ key: '0', label: 'back', to: 'userMenu' }],
  keeps: accountFacts,
  authenticated: true,
};
