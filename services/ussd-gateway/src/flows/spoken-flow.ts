import type { FlowSource } from './build-flow.js';
import type { OptionFile, ScreenFile } from './flow-file.js';

/** What a service speaks, of the languages of its flow. */
export interface Spoken {
  readonly languages?: readonly string[] | undefined;
  /** Of who has chosen none. */
  readonly defaultLanguage?: string | undefined;
}

/** A flow in some of its languages: keys that choose another one are not there. The same flow where all are spoken. */
export function spokenFlow(source: FlowSource, { languages, defaultLanguage }: Spoken): FlowSource {
  const { file, texts, revision } = source;
  if (languages === undefined && defaultLanguage === undefined) return source;
  const spoken = languages ?? Object.keys(texts);
  const isSpoken = ({ with: said }: OptionFile) =>
    said?.['language'] === undefined || spoken.includes(said['language']);
  const screens = Object.entries(file.screens).map(([state, screen]): [string, ScreenFile] => [
    state,
    {
      ...screen,
      options: Array.isArray(screen.options) ? screen.options.filter(isSpoken) : screen.options,
      navigation: screen.navigation.filter(isSpoken),
    },
  ]);
  const inDefault = defaultLanguage ?? (spoken.includes(file.defaultLanguage) ? file.defaultLanguage : spoken[0]);
  return {
    ...source,
    revision: [revision, inDefault, ...spoken].join('.'),
    file: { ...file, defaultLanguage: inDefault ?? file.defaultLanguage, screens: Object.fromEntries(screens) },
    texts: Object.fromEntries(Object.entries(texts).filter(([language]) => spoken.includes(language))),
  };
}
