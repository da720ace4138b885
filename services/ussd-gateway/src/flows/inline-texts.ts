import { byName, type Texts } from '../engine/flow.js';

/** The key of a text, or the text itself by language, or in every language where it has fields and no words. */
export type TextFile = string | Readonly<Record<string, string>>;

/** Texts that stand in `flow.yaml` where they are used: each gets a key that no file of texts can have. */
export class InlineTexts {
  readonly #texts = new Map<string, Readonly<Record<string, string>>>();
  /** Where each stands, by key. */
  readonly places = new Map<string, readonly string[]>();
  readonly #languages: readonly string[];

  constructor(languages: readonly string[]) {
    this.#languages = languages;
  }

  keyOf(text: TextFile, at: readonly string[]): string;
  keyOf(text: TextFile | undefined, at: readonly string[]): string | undefined;
  keyOf(text: TextFile | undefined, at: readonly string[]): string | undefined {
    // The keys of texts have no braces.
    if (text === undefined || (typeof text === 'string' && !text.includes('{'))) return text;
    const key = at.join('.');
    const byLanguage =
      typeof text === 'object' ? text : Object.fromEntries(this.#languages.map((language) => [language, text]));
    this.#texts.set(key, byLanguage);
    this.places.set(key, at);
    return key;
  }

  /** All texts of each language that a file of texts is of. */
  addTo(texts: Readonly<Record<string, Texts>>): Readonly<Record<string, Texts>> {
    return byName(
      Object.entries(texts).map(([language, own]) => {
        const inline = [...this.#texts].flatMap(([key, said]) =>
          said[language] === undefined ? [] : [[key, said[language]] as const],
        );
        return [language, byName([...Object.entries(own), ...inline])];
      }),
    );
  }
}
