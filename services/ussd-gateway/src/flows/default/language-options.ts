import type { Option } from '../../engine/flow.js';

/** A key for each language, by its own name whatever the language of the screen. @param to where the choice leads. */
export function languageOptions(to: string): readonly Option[] {
  const results = { set: { to, reason: 'languageSet' } };
  const speak = (key: string, language: string, label: string): Option => ({
    key,
    label,
    effect: 'setLanguage',
    with: { language },
    results,
  });
  return [speak('1', 'en', 'english'), speak('2', 'sw', 'swahili'), speak('3', 'fr', 'french')];
}
