/** What a session is called until it has a title. */
export const untitled = 'Untitled';

const titleChars = 60;

/** Control characters, and those that turn the direction of the text around them. */
const unshown = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** A title from the first message of a session: its first line, cut at a word. Undefined when there is nothing to show. */
export function titleFrom(message: string): string | undefined {
  const line = message
    .split(/[\r\n\u2028\u2029]/, 20)
    .map((part) => part.replace(unshown, ' ').replace(/\s+/g, ' ').trim())
    .find((part) => part !== '');
  if (line === undefined) return undefined;
  const characters = [...line];
  if (characters.length <= titleChars) return line;
  const cut = characters.slice(0, titleChars).join('');
  const wordEnd = cut.lastIndexOf(' ');
  return `${(wordEnd > titleChars / 2 ? cut.slice(0, wordEnd) : cut).trimEnd()}…`;
}
