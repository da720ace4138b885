import { runQuery } from '../connectors/run-query.js';
import { sourcesOf } from '../connectors/sources.fixture.js';
import type { Effect, RunCheck } from '../effects/intent.js';
import type { FindCaller } from './find-caller.js';
import type { Outside } from './move-session.js';

export interface OutsideParts {
  readonly effects?: Readonly<Record<string, Effect>>;
  readonly checks?: Readonly<Record<string, RunCheck>>;
  readonly acts?: Outside['acts'];
  readonly findCaller?: FindCaller;
}

/** Runs each effect at once, and stores nothing. */
function actsAtOnce(effects: Readonly<Record<string, Effect>>): Outside['acts'] {
  return {
    act: async ({ subscriber, place, request }) => {
      const { key, effect, phoneNumber } = request;
      const { aggregator } = subscriber;
      const leased = {
        key,
        effect,
        place,
        aggregator,
        phoneNumber,
        tries: 1,
        ageMs: 0,
        sealedInput: '',
        send: undefined,
      };
      const outcome = await effects[effect]?.(request, leased);
      if (outcome === undefined || 'pending' in outcome) throw new Error(`${effect} has no outcome`);
      return { key, place, state: 'settled', outcome };
    },
    poll: async () => undefined,
  };
}

/** External systems of a dialogue: these ones, an empty chain, and by default no known callers. */
export function outsideOf({ effects = {}, checks = {}, ...parts }: OutsideParts): Outside {
  return {
    acts: parts.acts ?? actsAtOnce(effects),
    checks,
    runQuery: (query, request) => runQuery(query, request, sourcesOf()),
    findCaller: parts.findCaller ?? (async () => ({})),
  };
}
