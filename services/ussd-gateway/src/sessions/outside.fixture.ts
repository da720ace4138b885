import { runQuery } from '../connectors/run-query.js';
import { sourcesOf } from '../connectors/sources.fixture.js';
import type { RunCheck, RunEffect } from '../effects/effect.js';
import type { FindCaller } from './find-caller.js';
import type { Outside } from './next-position.js';

export interface OutsideParts {
  readonly effects?: Readonly<Record<string, RunEffect>>;
  readonly checks?: Readonly<Record<string, RunCheck>>;
  readonly effectRunner?: Outside['effectRunner'];
  readonly findCaller?: FindCaller;
}

/** Runs each effect at once, and stores nothing. */
function runsAtOnce(effects: Readonly<Record<string, RunEffect>>): Outside['effectRunner'] {
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

/** External systems of a flow: these ones, an empty chain, and by default no known callers. */
export function outsideOf({ effects = {}, checks = {}, ...parts }: OutsideParts): Outside {
  return {
    effectRunner: parts.effectRunner ?? runsAtOnce(effects),
    checks,
    runQuery: (query, request) => runQuery(query, request, sourcesOf()),
    findCaller: parts.findCaller ?? (async () => ({})),
  };
}
