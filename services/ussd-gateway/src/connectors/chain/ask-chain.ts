import type { ChainReader } from '../../engine/chain-reader.js';
import type { Asked, Query } from '../../engine/operation.js';
import type { EffectOutcome } from '../../engine/position.js';
import { printable } from './printable.js';

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
