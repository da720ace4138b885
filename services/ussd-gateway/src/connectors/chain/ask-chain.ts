import type { ChainReader } from '../../engine/chain-reader.js';
import type { Asked, Query } from '../../engine/flow.js';
import type { EffectOutcome } from '../../engine/position.js';

/** Asks a flow's query. What comes from the chain is somebody's text: it is printed as one line, no longer than the check at start allowed for. */
export async function askChain(query: Query, asked: Asked, chain: ChainReader): Promise<EffectOutcome> {
  const { entries, language } = asked;
  const { result, facts = {} } = await query.ask({ entries, language, with: asked.with }, chain);
  const found = Object.entries(query.results[result] ?? {}).flatMap(([name, longest]) => {
    const value = facts[name];
    return value === undefined ? [] : [[name, printable(value, Math.max(...longest.map((one) => [...one].length)))]];
  });
  return { result, facts: Object.fromEntries(found) };
}

/** A foreign text as a part of one line: without line breaks and other controls, which could pass for entries of a menu. */
function printable(text: string, maxChars: number): string {
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
