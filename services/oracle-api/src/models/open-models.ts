import { setTimeout as sleep } from 'node:timers/promises';
import type { LanguageModel } from './language-model.js';
import { limitSilence } from './limit-silence.js';
import { localModel } from './local/local-model.js';
import { ModelCatalog } from './model-catalog.js';
import { fieldsOf } from './model-fields.js';
import { type ModelSettings, modelIds } from './models-rule.js';
import { retryBeforeAnswer } from './retry-before-answer.js';
import { UserShares } from './share-among-users.js';
import { wrapModel } from './wrap-model.js';

const retries = { attempts: 3, firstWaitMs: 500, longestWaitMs: 10_000 };

interface OpenModelsSettings extends ModelSettings {
  readonly LLM_TIMEOUT_MS: number;
  readonly LLM_CALLS_PER_USER: number;
  readonly LOCAL_MODEL_PACE_MS: number;
}

/** What is not the same each time. */
interface Chance {
  readonly random: () => number;
  readonly nowMs: () => number;
}

/** The models that the configuration names; without any the built-in one. Asks nobody anything yet. */
export async function openModels(config: OpenModelsSettings, { random, nowMs }: Chance): Promise<ModelCatalog> {
  const { LLM_BASE_URL: baseUrl, LLM_API_KEY: apiKey, LLM_SMALL_MODEL: smallId } = config;
  const [first, ...others] = modelIds(config);
  if (baseUrl === undefined || first === undefined)
    return new ModelCatalog([localModel({ paceMs: config.LOCAL_MODEL_PACE_MS })]);
  // Loaded where an endpoint is named alone: the SDK takes 5 MB.
  const { openEndpoint } = await import('./openai-compatible/endpoint.js');
  const { openAiCompatibleModel } = await import('./openai-compatible/openai-compatible-model.js');
  const modelOf = openEndpoint({
    baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    fieldsOf: (id) => fieldsOf(config.LLM_MODEL_FIELDS, id),
  });
  const shares = new UserShares({ atOnce: config.LLM_CALLS_PER_USER, waiting: config.LLM_CALLS_PER_USER * 4 });
  const open = (id: string): LanguageModel => {
    const model = openAiCompatibleModel({
      id,
      model: modelOf(id),
      contextTokens: config.LLM_CONTEXT_TOKENS,
      answerTokens: config.LLM_ANSWER_TOKENS,
      seesImages: config.LLM_VISION_MODELS.includes(id),
    });
    const withinMs = config.LLM_TIMEOUT_MS;
    return wrapModel(model, {
      share: (inner) => shares.of(inner),
      retry: (inner) => retryBeforeAnswer(inner, { ...retries, withinMs, random, nowMs, sleep: pause }),
      silence: (inner) => limitSilence(inner, withinMs),
    });
  };
  const models = [open(first), ...others.map(open)] as const;
  const small = models.find(({ id }) => id === smallId);
  return new ModelCatalog([...models], small ?? (smallId === undefined ? models[0] : open(smallId)));
}

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal });
