import { z } from 'zod';
import { stem } from './name-match.js';

const listed = z.array(
  z.object({ name: z.string(), title: z.string(), summary: z.string(), whenToUse: z.string(), isLoaded: z.boolean() }),
);

/** Minimum length of a significant word. */
const meaningfulChars = 4;

/** Words without significance. */
const empty = new Set(
  'what with that this have when user asks ask from your about please tell does want them they'.split(' '),
);

/** Finds the capability, not loaded yet, whose description shares most words with a sentence; undefined if no word is shared. Pure. */
export function findCapability(text: string, list: string): string | undefined {
  const wanted = wordsOf(text);
  const found = listed
    .parse(JSON.parse(list))
    .filter(({ isLoaded }) => !isLoaded)
    .map(({ name, title, summary, whenToUse }) => {
      const offered = wordsOf(`${name} ${title} ${summary} ${whenToUse}`);
      return { name, shared: [...wanted].filter((word) => offered.has(word)).length };
    })
    .filter(({ shared }) => shared > 0)
    .sort((one, other) => other.shared - one.shared);
  return found[0]?.name;
}

function wordsOf(text: string): Set<string> {
  const words = (text.toLowerCase().match(/\p{L}+/gu) ?? []).map(stem);
  return new Set(words.filter((word) => word.length >= meaningfulChars && !empty.has(word)));
}
