import { keyringOf } from '@mlango/crypto/keyring';
import { createLogger } from '@mlango/service-kit/logging';
import { askOutside } from '../connectors/run-query.js';
import { sourcesOf } from '../connectors/sources.fixture.js';
import type { Effect, RunCheck } from '../effects/effect.js';
import { EffectRunner, tellMs } from '../effects/effect-runner.js';
import { MemoryIntentStore } from '../effects/memory-intent-store.fixture.js';
import { inputSeal } from '../effects/sealed-input.js';
import { memoryDiallers } from './memory-callers.fixture.js';
import type { Outside } from './move-session.js';

export interface OutsideParts {
  readonly effects?: Readonly<Record<string, Effect>>;
  readonly checks?: Readonly<Record<string, RunCheck>>;
  readonly intents?: MemoryIntentStore;
  readonly acts?: EffectRunner;
  readonly language?: string;
}

const logger = createLogger({ service: 'test', level: 'silent' });
const keyring = keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 3) }]);

/** Effects on intents in memory. */
export function actsOf(effects: Readonly<Record<string, Effect>>, intents = new MemoryIntentStore()): EffectRunner {
  return new EffectRunner({ store: intents, effects, seal: inputSeal(keyring), logger });
}

/** External systems of a dialogue: the given ones, an empty chain, and no known callers. */
export function outsideOf({
  effects = {},
  checks = {},
  intents = new MemoryIntentStore(),
  ...parts
}: OutsideParts): Outside {
  return {
    acts: parts.acts ?? actsOf(effects, intents),
    checks,
    ask: (query, asked) => askOutside(query, asked, sourcesOf()),
    findCaller: memoryDiallers({ findLanguage: async () => parts.language }, intents, tellMs),
  };
}
