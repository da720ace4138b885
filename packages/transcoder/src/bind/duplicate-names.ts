/** Strings, and the structural characters of JSON. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

interface Level {
  /** The names so far of an object; `undefined` in a list. */
  readonly names: Set<string> | undefined;
  /** The current name, as a step of a path. */
  step: string;
}

/**
 * The path of a duplicate name in an object of a JSON text; `undefined` without one. `JSON.parse` takes the last of two, other
 * parsers the first, so the sender's intent is unknown. The text must be valid JSON.
 */
export function findDuplicateName(text: string): string | undefined {
  const levels: Level[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKENS)) {
    const level = levels.at(-1);
    if (token === '{') levels.push({ names: new Set(), step: '' });
    else if (token === '[') levels.push({ names: undefined, step: '' });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ':' && level?.names !== undefined) {
      const name: string = JSON.parse(last);
      level.step = name;
      if (level.names.has(name)) return pathOf(levels);
      level.names.add(name);
    } else last = token;
  }
  return undefined;
}

function pathOf(levels: readonly Level[]): string {
  return levels
    .map(({ step }) => step)
    .filter((step) => step !== '')
    .join('.');
}
