import type { MenuScreen } from '../../../engine/flow.js';

/** Log in or sign up. */
export const accountMenu: MenuScreen = {
  kind: 'menu',
  lines: ['accountMenu', 'haveAccount'],
  options: [
    { key: '1', label: 'yesLogIn', to: 'customerIdEntry' },
    { key: '2', label: 'noCreate', to: 'nameEntry' },
  ],
  navigation: [{ key: '0', label: 'back', to: 'preMenu' }],
};
