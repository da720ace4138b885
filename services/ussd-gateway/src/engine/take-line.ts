/** Up to this many characters a line is an entry or a title, and moves to the next page whole. */
const shortLineChars = 40;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Takes the beginning of a line that does not fit whole. A short line is divided only where it stands alone on its
 * page; words are divided only where a page has room for no whole one; what a reader sees as one character, never.
 */
export function takeLine(
  line: string,
  room: { alone: boolean; fits: (text: string) => boolean },
): { taken: string; rest: string } | undefined {
  if (!room.alone && line.length <= shortLineChars) return undefined;
  const words = longestPrefix(line.split(/(?<= )/), room.fits);
  if (words !== undefined) return words;
  if (!room.alone) return undefined;
  const characters = Array.from(graphemes.segment(line), ({ segment }) => segment);
  // A letter may carry more combining marks than a page holds; then its code points are divided.
  return longestPrefix(characters, room.fits) ?? longestPrefix([...line], room.fits);
}

function longestPrefix(pieces: readonly string[], fits: (text: string) => boolean) {
  let count = 0;
  // A space at the page's end is not printed.
  while (
    count < pieces.length &&
    fits(
      pieces
        .slice(0, count + 1)
        .join('')
        .trimEnd(),
    )
  )
    count++;
  if (count === 0) return undefined;
  return { taken: pieces.slice(0, count).join('').trimEnd(), rest: pieces.slice(count).join('').trimStart() };
}
