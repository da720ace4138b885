import type { MenuScreen } from '../../../engine/flow.js';
import { languageOptions } from '../language-options.js';

/** The languages for somebody who is not logged in, and may read none of the other screens. */
export const openLanguageMenu: MenuScreen = {
  kind: 'menu',
  lines: ['chooseLanguage'],
  options: languageOptions('preMenu'),
  navigation: [{ key: '0', label: 'back', to: 'preMenu' }],
};
