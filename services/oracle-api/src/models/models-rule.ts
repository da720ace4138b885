import type { EnvProblem } from '@mlango/service-kit/env';

/** Which models there are, and where. */
export interface ModelSettings {
  readonly LLM_BASE_URL?: string | undefined;
  readonly LLM_API_KEY?: string | undefined;
  readonly LLM_MODEL?: string | undefined;
  readonly LLM_MODELS: readonly string[];
  readonly LLM_SMALL_MODEL?: string | undefined;
  readonly LLM_VISION_MODELS: readonly string[];
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
  if (baseUrl === undefined && (ids.length > 0 || (LLM_API_KEY ?? LLM_SMALL_MODEL) !== undefined)) {
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
  return problems;
}

function hasMoreThanAPlace({ username, password, search, hash }: URL): boolean {
  return `${username}${password}${search}${hash}` !== '';
}
