import { emptyList } from '../engine/declarations.js';
import type { Query, QueryRequest, Sources } from '../engine/flow.js';
import type { EffectOutcome } from '../engine/position.js';
import { listOfResult } from '../engine/screen-options.js';

/**
 * Runs a query of a flow; an empty list is a separate result. External text is printed as one line, within the length
 * that the check at start allowed for.
 */
export async function runQuery(query: Query, request: QueryRequest, sources: Sources): Promise<EffectOutcome> {
  const { result, facts = {}, lists } = await query.run(request, sources);
  const list = listOfResult(query, result);
  const items = list && (lists?.[list.name] ?? []);
  if (items?.length === 0) return { result: emptyList };
  const found = Object.entries(query.results[result] ?? {}).flatMap(([name, longest]) => {
    const value = facts[name];
    return value === undefined ? [] : [[name, printable(value, Math.max(...longest.map((one) => [...one].length)))]];
  });
  return {
    result,
    facts: Object.fromEntries(found),
    ...(list !== undefined && items !== undefined && { lists: { [list.name]: items } }),
  };
}

/** An external text as part of one line: without line breaks and control characters, which could imitate entries of a menu. */
export function printable(text: string, maxChars: number): string {
  const characters = [
    ...text
      .replaceAll(/[\p{Control}\p{Format}\p{Zl}\p{Zp}]+/gu, ' ')
      .replaceAll(/ {2,}/g, ' ')
      .trim(),
  ];
  if (characters.length <= maxChars) return characters.join('');
  const mark = '...'.slice(0, maxChars);
  return `${characters
    .slice(0, maxChars - mark.length)
    .join('')
    .trimEnd()}${mark}`;
}
