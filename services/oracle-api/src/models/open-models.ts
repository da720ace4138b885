import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedPools } from '../shared-pools.js';
import type { LanguageModel } from './language-model.js';
import { limitSilence } from './limit-silence.js';
import { localModel } from './local/local-model.js';
import { ModelCatalog } from './model-catalog.js';
import { fieldsOf } from './model-fields.js';
import { type ModelSettings, modelIds } from './models-rule.js';
import { retryBeforeAnswer } from './retry-before-answer.js';
import { shareModel } from './share-model.js';
import { wrapModel } from './wrap-model.js';

const retries = { attempts: 3, firstWaitMs: 500, longestWaitMs: 10_000 };

interface OpenModelsSettings extends ModelSettings {
  readonly LLM_TIMEOUT_MS: number;
  readonly LOCAL_MODEL_PACE_MS: number;
}

interface OpenModelsParts {
  readonly random: () => number;
  readonly nowMs: () => number;
  /** Calls of all models of the endpoint. */
  readonly calls: SharedPools['modelCalls'];
}

/** The models that the configuration names; without any the built-in one. Asks nobody anything yet. */
export async function openModels(config: OpenModelsSettings, parts: OpenModelsParts): Promise<ModelCatalog> {
  const { random, nowMs, calls } = parts;
  const { LLM_BASE_URL: baseUrl, LLM_API_KEY: apiKey, LLM_SMALL_MODEL: smallId } = config;
  const [first, ...others] = modelIds(config);
  if (baseUrl === undefined || first === undefined)
    return new ModelCatalog([localModel({ paceMs: config.LOCAL_MODEL_PACE_MS })]);
  // Loaded where an endpoint is named alone: the SDK takes 5 MB.
  const { openEndpoint } = await import('./providers/endpoint.js');
  const { sdkModel } = await import('./providers/sdk-model.js');
  const modelOf = openEndpoint({
    baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    fieldsOf: (id) => fieldsOf(config.LLM_MODEL_FIELDS, id),
  });
  const open = (id: string): LanguageModel => {
    const model = sdkModel({
      id,
      model: modelOf(id),
      contextTokens: config.LLM_CONTEXT_TOKENS,
      answerTokens: config.LLM_ANSWER_TOKENS,
      seesImages: config.LLM_VISION_MODELS.includes(id),
      thinkTags: config.LLM_THINK_TAGS.get(id) ?? config.LLM_THINK_TAGS.get('*') ?? 'on',
    });
    const withinMs = config.LLM_TIMEOUT_MS;
    return wrapModel(model, {
      share: (inner) => shareModel(inner, calls),
      retry: (inner) => retryBeforeAnswer(inner, { ...retries, withinMs, random, nowMs, sleep: pause }),
      silence: (inner) => limitSilence(inner, withinMs),
    });
  };
  const models = [open(first), ...others.map(open)] as const;
  const small = models.find(({ id }) => id === smallId);
  return new ModelCatalog([...models], small ?? (smallId === undefined ? models[0] : open(smallId)));
}

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal });
