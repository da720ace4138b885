import type { MenuScreen, Option } from '../../../engine/flow.js';
import { accountFacts } from '../account-facts.js';

const results = { set: { to: 'userMenu', reason: 'languageSet' } } as const;

const speak = (key: string, language: string, label: string): Option => ({
  key,
  label,
  effect: 'setLanguage',
  with: { language },
  results,
});

/** Each language by its own name, whatever the language of the screen. */
export const languageMenu: MenuScreen = {
  kind: 'menu',
  lines: ['chooseLanguage'],
  options: [speak('1', 'en', 'english'), speak('2', 'sw', 'swahili'), speak('3', 'fr', 'french')],
  navigation: [{ key: '0', label: 'back', to: 'userMenu' }],
  keeps: accountFacts,
  authenticated: true,
};
