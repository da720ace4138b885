import type { MenuScreen } from '../../../engine/flow.js';

/** The text of the topic chosen in the information menu. */
export const infoTopic: MenuScreen = {
  kind: 'menu',
  lines: [{ chosenBy: 'topic', texts: { about: 'aboutText', pricing: 'pricingText', delivery: 'deliveryText' } }],
  options: [],
  navigation: [
    { key: '1', label: 'backToMainMenu', to: 'preMenu' },
    { key: '0', label: 'back', to: 'knowMore' },
  ],
};
