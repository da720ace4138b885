/** Verbs of a request: `get_weather` also matches "show the weather". */
const askingVerbs = new Set('get fetch show find lookup list query search read check what'.split(' '));

const polite = new Set('please can could would you the a an me my use run call tool'.split(' '));

/** Quality of a match of a sentence with a tool's name, and the rest of the sentence. */
export interface NameMatch {
  /** Number of matching words of the name. */
  readonly score: number;
  /** The text after the name, or the whole text without the name. */
  readonly rest: string;
}

/** Undefined if the sentence does not contain the tool's name. */
export function matchName(text: string, toolName: string): NameMatch | undefined {
  const literal = text.toLowerCase().indexOf(toolName.toLowerCase());
  if (literal !== -1 && /[_-]|[a-z][A-Z]/.test(toolName)) {
    return { score: 100, rest: text.slice(literal + toolName.length).trim() };
  }
  const tokens = tokensOf(text);
  const name = wordsOf(toolName);
  const needed = name.length > 1 && askingVerbs.has(name[0] ?? '') ? name.slice(1) : name;
  const places = placesOf(needed, tokens);
  const [first, last] = [places?.[0], places?.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  // Only request words may precede the name.
  const before = tokens.slice(0, first).map(({ word }) => word);
  const isAsked = before.every(
    (word) => polite.has(word) || askingVerbs.has(word) || ['is', 'are', 'up'].includes(word),
  );
  if (!isAsked) return undefined;
  const wasVerbGiven = needed.length < name.length && before.includes(name[0] ?? '');
  return { score: needed.length + (wasVerbGiven ? 1 : 0), rest: text.slice(tokens[last]?.end).trim() };
}

interface Token {
  readonly word: string;
  readonly end: number;
}

function tokensOf(text: string): Token[] {
  const joined = text.replace(/\blook up\b/gi, 'look-up');
  // A colon is part of a DID, but not of a word before a colon.
  return [...joined.matchAll(/[\p{L}\p{N}]+(?:[:'’-]+[\p{L}\p{N}]+)*/gu)].map((match) => ({
    word: stem(match[0].replace(/^look-up$/i, 'lookup')),
    end: match.index + match[0].length,
  }));
}

function wordsOf(toolName: string): string[] {
  const spaced = toolName.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' ');
  return spaced
    .trim()
    .replace(/\blook up\b/gi, 'lookup')
    .split(' ')
    .map(stem);
}

/** Positions of the words, in their order; undefined if one is missing. */
function placesOf(words: readonly string[], tokens: readonly Token[]): number[] | undefined {
  const places: number[] = [];
  for (const word of words) {
    const at = tokens.findIndex((token, index) => index > (places.at(-1) ?? -1) && token.word === word);
    if (at === -1) return undefined;
    places.push(at);
  }
  return places.length === 0 ? undefined : places;
}

export function stem(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length > 4 && lower.endsWith('ies')) return `${lower.slice(0, -3)}y`;
  return lower.length > 3 && lower.endsWith('s') && !lower.endsWith('ss') ? lower.slice(0, -1) : lower;
}
