/** Words of a snippet before the first hit, and in all. */
const shownWords = { before: 5, total: 40 };
/** A longer word is cut. */
const wordChars = 60;

/** The words of a text around the first that begins as one of `words` does (lower case); its beginning where there is none. One line, plain text. */
export function snippetOf(text: string, words: readonly string[]): string {
  const all = text.split(/\s+/).filter((word) => word !== '');
  const plain = (word: string) => word.toLowerCase().replace(/^[^\p{L}\p{N}]+/u, '');
  const hit = all.findIndex((word) => words.some((one) => plain(word).startsWith(one)));
  const from = Math.max(0, hit - shownWords.before);
  const shown = all.slice(from, from + shownWords.total).map((word) => word.slice(0, wordChars));
  return shown.join(' ');
}
