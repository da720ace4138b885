import type { MenuScreen } from '../../../engine/flow.js';

/** Shown while something is under way: whoever typed it looks again, and never types it again. */
export const working: MenuScreen = {
  kind: 'menu',
  lines: ['working'],
  options: [{ key: '1', label: 'checkAgain', looksAgain: true }],
  navigation: [{ key: '0', label: 'backToMainMenu', to: 'preMenu' }],
};
