import type { ChainReader } from '../engine/chain-reader.js';
import type { EffectOutcome } from '../engine/enter.js';
import type { Query } from '../engine/query.js';
import type { EffectRequest, HopEffects } from '../sessions/hop-effects.js';
import { printable } from './printable.js';

/** The effects of flows: their queries are asked here, everything else is done by `others`. */
export function queryEffects(chain: ChainReader, others: HopEffects): HopEffects {
  return {
    languageOf: (phoneNumber) => others.languageOf(phoneNumber),
    run: async (request) => (request.query === undefined ? others.run(request) : ask(request.query, request, chain)),
  };
}

/** What comes from the chain is somebody's text: it is printed as one line, no longer than the check at start allowed for. */
async function ask(query: Query, request: EffectRequest, chain: ChainReader): Promise<EffectOutcome> {
  const { entries, language } = request;
  const { result, facts = {} } = await query.ask({ entries, language, with: request.with }, chain);
  const found = Object.entries(query.longest).flatMap(([name, longest]) => {
    const value = facts[name];
    return value === undefined ? [] : [[name, printable(value, [...longest].length)]];
  });
  return { result, facts: Object.fromEntries(found) };
}
