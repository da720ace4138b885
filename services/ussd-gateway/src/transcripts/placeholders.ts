import { UnplayableError } from './paper-gateway.js';

/**
 * Values behind placeholders such as `{Customer ID}` while a transcript is played. A value is learnt from the first
 * screen that shows it, and stands for the placeholder from then on.
 */
export class Placeholders {
  readonly #values: Map<string, string>;

  constructor(known: Readonly<Record<string, string>>) {
    this.#values = new Map(Object.entries(known));
  }

  /** A text with its placeholders filled. @throws {UnplayableError} for one without a value. */
  fill(text: string): string {
    return text.replaceAll(/\{([^{}]+)\}/g, (placeholder, name: string) => {
      const value = this.#values.get(name);
      if (value === undefined) throw new UnplayableError(`no screen has shown ${placeholder} yet`);
      return value;
    });
  }

  /** Learns from a screen what is not known yet; returns the expected text with every known value in its place. */
  expect(expected: string, shown: string): string {
    const names = [...expected.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? '');
    const pattern = expected
      .split(/\{[^{}]+\}/)
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('(\\S+)');
    const found = new RegExp(`^${pattern}$`).exec(shown)?.slice(1) ?? [];
    for (const [index, name] of names.entries()) {
      const value = found[index];
      if (value !== undefined && !this.#values.has(name)) this.#values.set(name, value);
    }
    return expected.replaceAll(/\{([^{}]+)\}/g, (placeholder, name: string) => this.#values.get(name) ?? placeholder);
  }
}
