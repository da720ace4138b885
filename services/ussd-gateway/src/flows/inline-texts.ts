import { byName, type Texts } from '../engine/flow.js';

/** The key of a text, or the text itself by language. */
export type TextFile = string | Readonly<Record<string, string>>;

/** Texts that stand in `flow.yaml` where they are used: each gets a key that no file of texts can have. */
export class InlineTexts {
  readonly #texts = new Map<string, Readonly<Record<string, string>>>();
  /** Where each stands, by key. */
  readonly places = new Map<string, readonly string[]>();

  keyOf(text: TextFile, at: readonly string[]): string;
  keyOf(text: TextFile | undefined, at: readonly string[]): string | undefined;
  keyOf(text: TextFile | undefined, at: readonly string[]): string | undefined {
    if (typeof text !== 'object') return text;
    const key = at.join('.');
    this.#texts.set(key, text);
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
