import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { en } from './en.js';
import { fr } from './fr.js';
import { sw } from './sw.js';

type Entry = readonly [key: string, text: string];
const fills = ['Zuri', 'Baraka'];

/** Every text of a language by key; functions are called with several and with one item. */
function textsOf(words: object, at = ''): Entry[] {
  return Object.entries(words).flatMap(([name, word]): Entry[] => {
    const key = `${at}${name}`;
    if (typeof word === 'string') return [[key, word]];
    if (typeof word !== 'function') return textsOf(word as object, `${key}.`);
    const textOf = word as (...args: unknown[]) => string;
    return counted.has(key)
      ? [0, 1, 2, 5].map((count): Entry => [`${key}(${count})`, textOf(count, 9)])
      : [[key, textOf(...fills)]];
  });
}

/** Number arguments. */
const counted = new Set(['sessions.found', 'message.version']);
const placesOf = (text: string) => [...fills, '0', '1', '2', '5', '9'].filter((fill) => text.includes(fill)).sort();
const english = new Map(textsOf(en));
/** Texts that are correctly the same in English: names and loan words. */
const shared =
  /^(direction|message\.(oracle|version)|thread\.(messages|suggestions)|composer\.message|markdown\.code|calls\.args|approvals\.of|sessions\.(title|found.*)|frame\.(conversation|sessions))/;

describe.each([
  ['English', en],
  ['Swahili', sw],
  ['French', fr],
])('the words in %s', (language, words) => {
  const texts = textsOf(words);

  it('are complete and not empty, with blanks only inside', () => {
    expect(texts.map(([key]) => key)).toEqual([...english.keys()]);
    for (const [key, text] of texts) expect([key, text]).toEqual([key, text.trim() || 'a text']);
  });

  it('have all entries of English: files, titles, hosts, times, counts', () => {
    for (const [key, text] of texts) expect([key, placesOf(text)]).toEqual([key, placesOf(english.get(key) ?? '')]);
  });

  it('are in that language', () => {
    if (language === 'English') return expect(english.get('sessions.found(1)')).toBe('1 message');
    const same = texts.filter(([key, text]) => text === english.get(key) && !shared.test(key));
    return expect(same).toEqual([]);
  });

  it('use the punctuation of the language', () => {
    for (const [key, text] of texts) {
      expect([key, text]).toEqual([key, text.replaceAll("'", '’').replaceAll('...', '…')]);
      if (language === 'French') expect([key, /[^ \u00a0\u202f][:;!?](?!\/)/.test(text)]).toEqual([key, false]);
    }
  });
});

describe('the list of terms', () => {
  const page = readFileSync(new URL('../../../../docs/guides/words.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (.+) \| (.+) \| (.+) \| (.+) \|$/gm)].slice(1);
  const textsIn = (words: object) =>
    textsOf(words)
      .map(([, text]) => text.toLowerCase())
      .join('\n');

  it.each([
    ['English', en, 2],
    ['Swahili', sw, 3],
    ['French', fr, 4],
  ] as const)('contains only terms that the texts in %s use', (_language, words, column) => {
    expect(rows.length).toBeGreaterThan(20);
    const texts = textsIn(words);
    const unused = rows.map((row) => row[column] ?? '').flatMap((cell) => cell.split(', '));
    expect(unused.filter((term) => !texts.includes(term.toLowerCase()))).toEqual([]);
  });
});
