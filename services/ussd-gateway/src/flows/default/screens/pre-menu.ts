import type { MenuScreen } from '../../../engine/flow.js';

/** The welcome menu, where every dial starts. */
export const preMenu: MenuScreen = {
  kind: 'menu',
  lines: ['welcome'],
  options: [
    { key: '1', label: 'knowMore', to: 'knowMore' },
    { key: '2', label: 'accountMenu', to: 'accountMenu' },
    // Not printed: the text about this service tells of it.
    { key: '3', to: 'openLanguageMenu' },
  ],
  navigation: [
    { key: '*', label: 'exit', to: 'closed' },
    { key: '0', to: 'closed' },
  ],
};
