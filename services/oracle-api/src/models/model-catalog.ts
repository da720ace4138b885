import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedPools } from '../shared-pools.js';
import { retryBeforeAnswer, withFallback } from './fallback.js';
import type { LanguageModel } from './language-model.js';
import { localModel } from './local/local-model.js';
import { endpointsOf, type ModelEndpoint, modelNames } from './model-endpoints.js';
import { fieldsOf } from './model-fields.js';
import type { ModelSettings } from './models-rule.js';
import { shareModel } from './share-model.js';
import type { ThinkTags } from './think-tags.js';
import { limitSilence, wrapModel } from './wrap-model.js';

/** The models a caller may choose from. The first one is the default. */
export class ModelCatalog {
  readonly #models: readonly LanguageModel[];
  readonly default: LanguageModel;
  /** For titles and summaries. Users need not be able to choose it. */
  readonly small: LanguageModel;

  constructor(models: readonly [LanguageModel, ...LanguageModel[]], small: LanguageModel = models[0]) {
    this.#models = models;
    this.default = models[0];
    this.small = small;
  }

  /** The model of that id; the default one without an id; undefined for an unknown id. */
  find(id?: string): LanguageModel | undefined {
    return id === undefined ? this.default : this.#models.find((model) => model.id === id);
  }

  list(): { id: string; label: string; isDefault: boolean }[] {
    return this.#models.map(({ id, label }) => ({ id, label, isDefault: id === this.default.id }));
  }
}

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

/** The models that the configuration names; without any the built-in one. Sends no request yet. */
export async function openModels(config: OpenModelsSettings, parts: OpenModelsParts): Promise<ModelCatalog> {
  const { random, nowMs, calls } = parts;
  const { LLM_SMALL_MODEL: smallName, LLM_TIMEOUT_MS: withinMs } = config;
  const [first, ...others] = modelNames(config);
  if (first === undefined) return new ModelCatalog([localModel({ paceMs: config.LOCAL_MODEL_PACE_MS })]);
  const opened = new Map<string, LanguageModel>();
  const openOnce = async (endpoint: ModelEndpoint): Promise<LanguageModel> => {
    const model = opened.get(endpoint.id) ?? (await openEndpoint(endpoint, config));
    opened.set(endpoint.id, model);
    return model;
  };
  const open = async (name: string): Promise<LanguageModel> => {
    const [own, ...replacements] = endpointsOf(name, config);
    const model = await openOnce(own);
    const later = await Promise.all(replacements.map(openOnce));
    return wrapModel(model, {
      share: (inner) => shareModel(inner, calls),
      retry: (inner) => retryBeforeAnswer(inner, { ...retries, withinMs, random, nowMs, sleep: pause }),
      fallback: (inner) => withFallback([inner, ...later.map((each) => limitSilence(each, withinMs))]),
      silence: (inner) => limitSilence(inner, withinMs),
    });
  };
  const models: [LanguageModel, ...LanguageModel[]] = [await open(first)];
  for (const name of others) models.push(await open(name));
  const small = models.find(({ id }) => id === smallName);
  return new ModelCatalog(models, small ?? (smallName === undefined ? models[0] : await open(smallName)));
}

async function openEndpoint(endpoint: ModelEndpoint, config: OpenModelsSettings): Promise<LanguageModel> {
  const { id, name, provider } = endpoint;
  // Loaded for configured endpoints only: the SDK takes 5 MB.
  const { openProvider } = await import('./providers/open-provider.js');
  const { sdkModel } = await import('./providers/sdk-model.js');
  return sdkModel({
    id,
    provider,
    model: await openProvider({ ...endpoint, fields: fieldsOf(config.LLM_MODEL_FIELDS, name) }),
    contextTokens: config.LLM_CONTEXT_TOKENS,
    answerTokens: config.LLM_ANSWER_TOKENS,
    seesImages: config.LLM_VISION_MODELS.includes(name),
    readsPdfs: config.LLM_PDF_MODELS.includes(name),
    hearsAudio: config.LLM_AUDIO_MODELS.includes(name),
    thinkTags: thinkTagsOf(endpoint, config),
  });
}

/** Named providers have fields for thinking; only servers behind the general protocol write it into the text. */
function thinkTagsOf({ name, provider }: ModelEndpoint, { LLM_THINK_TAGS: tags }: OpenModelsSettings): ThinkTags {
  return tags.get(name) ?? tags.get('*') ?? (provider === 'openai-compatible' ? 'on' : 'off');
}

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal });
