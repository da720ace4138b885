import type { MenuScreen } from '../../../engine/flow.js';

/** The information menu. */
export const knowMore: MenuScreen = {
  kind: 'menu',
  lines: ['informationCenter'],
  options: [
    { key: '1', label: 'aboutThisService', to: 'infoTopic', choose: { name: 'topic', value: 'about' } },
    { key: '2', label: 'pricing', to: 'infoTopic', choose: { name: 'topic', value: 'pricing' } },
    { key: '3', label: 'delivery', to: 'infoTopic', choose: { name: 'topic', value: 'delivery' } },
  ],
  navigation: [
    { key: '*', label: 'exit', to: 'closed' },
    { key: '0', to: 'preMenu' },
  ],
};
