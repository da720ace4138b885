import type { MenuScreen } from '../../../engine/flow.js';

/** Asks who dials again after a lost session whether to go on there. */
export const resumeOffer: MenuScreen = {
  kind: 'menu',
  lines: ['wasLost'],
  options: [
    { key: '1', label: 'continue', resumes: true },
    { key: '2', label: 'startOver', to: 'preMenu' },
  ],
  navigation: [{ key: '*', label: 'exit', to: 'closed' }],
};
