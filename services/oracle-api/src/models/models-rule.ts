import type { EnvProblem } from '@mlango/service-kit/env';
import { fieldsOf, limitNames, type ModelFields } from './model-fields.js';
import type { ThinkTags } from './think-tags.js';

/** Which models there are, and where. */
export interface ModelSettings {
  readonly LLM_BASE_URL?: string | undefined;
  readonly LLM_API_KEY?: string | undefined;
  readonly LLM_MODEL?: string | undefined;
  readonly LLM_MODELS: readonly string[];
  readonly LLM_SMALL_MODEL?: string | undefined;
  readonly LLM_VISION_MODELS: readonly string[];
  readonly LLM_MODEL_FIELDS: ModelFields;
  readonly LLM_THINK_TAGS: ReadonlyMap<string, ThinkTags>;
  readonly LLM_CONTEXT_TOKENS: number;
  readonly LLM_ANSWER_TOKENS: number;
}

/** The ids of the models to choose from, the default one first. */
export function modelIds({ LLM_MODEL, LLM_MODELS }: ModelSettings): string[] {
  return [...new Set([...(LLM_MODEL === undefined ? [] : [LLM_MODEL]), ...LLM_MODELS])];
}

/** An endpoint and its models are given together or not at all. */
export function modelsRule(config: ModelSettings): EnvProblem[] {
  const { LLM_BASE_URL: baseUrl, LLM_API_KEY, LLM_SMALL_MODEL } = config;
  const ids = modelIds(config);
  const problems: EnvProblem[] = [];
  const hasFields = Object.keys(config.LLM_MODEL_FIELDS).length > 0;
  if (baseUrl === undefined && (ids.length > 0 || hasFields || (LLM_API_KEY ?? LLM_SMALL_MODEL) !== undefined)) {
    problems.push({ variable: 'LLM_BASE_URL', message: 'is required with the other LLM_ variables' });
  }
  if (baseUrl !== undefined && ids.length === 0) {
    problems.push({ variable: 'LLM_MODEL', message: 'is required with LLM_BASE_URL' });
  }
  if (baseUrl !== undefined && hasMoreThanAPlace(new URL(baseUrl))) {
    problems.push({
      variable: 'LLM_BASE_URL',
      message: 'must have no user, password, query or fragment; see LLM_API_KEY',
    });
  }
  if (config.LLM_VISION_MODELS.some((id) => !ids.includes(id))) {
    problems.push({ variable: 'LLM_VISION_MODELS', message: 'must name models of LLM_MODEL and LLM_MODELS only' });
  }
  if (config.LLM_ANSWER_TOKENS * 2 > config.LLM_CONTEXT_TOKENS) {
    problems.push({ variable: 'LLM_ANSWER_TOKENS', message: 'must be at most half of LLM_CONTEXT_TOKENS' });
  }
  const asked = LLM_SMALL_MODEL === undefined ? ids : [...ids, LLM_SMALL_MODEL];
  if ([...config.LLM_THINK_TAGS.keys()].some((id) => id !== '*' && !asked.includes(id))) {
    problems.push({ variable: 'LLM_THINK_TAGS', message: 'must name models of this service only, or *' });
  }
  const fields = baseUrl === undefined ? undefined : fieldsProblem(config, asked);
  if (fields !== undefined) problems.push({ variable: 'LLM_MODEL_FIELDS', message: fields });
  return problems;
}

function fieldsProblem({ LLM_MODEL_FIELDS: all, LLM_CONTEXT_TOKENS: context }: ModelSettings, ids: readonly string[]) {
  if (Object.keys(all).some((id) => id !== '*' && !ids.includes(id)))
    return 'must name models of this service only, or *';
  for (const id of ids) {
    const fields = fieldsOf(all, id);
    const limits = limitNames.map((name) => fields[name]).filter((tokens) => typeof tokens === 'number');
    if (limits.length > 1) return `must have one of ${limitNames.join(' and ')} for a model, and null for the other`;
    if (limits.some((tokens) => tokens * 2 > context))
      return 'must leave half of LLM_CONTEXT_TOKENS to the conversation';
  }
  return undefined;
}

function hasMoreThanAPlace({ username, password, search, hash }: URL): boolean {
  return `${username}${password}${search}${hash}` !== '';
}
