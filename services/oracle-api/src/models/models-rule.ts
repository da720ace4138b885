import type { EnvProblem } from '@mlango/service-kit/env';
import type { z } from 'zod';
import { type MediaKind, sentMedia } from './media.js';
import {
  type EndpointSettings,
  endpointsOf,
  type ModelEndpoint,
  modelEndpoints,
  modelNames,
  namedEntry,
  providerNames,
} from './model-endpoints.js';
import { fieldsOf, limitNames, type ModelFields } from './model-fields.js';
import type { ThinkTags } from './think-tags.js';

/** Settings of the models and of their endpoints. */
export interface ModelSettings extends EndpointSettings {
  readonly LLM_VISION_MODELS: readonly string[];
  readonly LLM_PDF_MODELS: readonly string[];
  readonly LLM_AUDIO_MODELS: readonly string[];
  readonly LLM_MODEL_FIELDS: ModelFields;
  readonly LLM_THINK_TAGS: ReadonlyMap<string, ThinkTags>;
  readonly LLM_CONTEXT_TOKENS: number;
  readonly LLM_ANSWER_TOKENS: number;
}

/** Entries `name=key`. The problem names no part of a key. */
export const apiKeys = (entries: readonly string[], context: z.RefinementCtx): ReadonlyMap<string, string> => {
  const read = entries.map((entry) => /^([^=\s]+)=([\x21-\x7e]+)$/.exec(entry));
  if (read.includes(null)) {
    context.addIssue({ code: 'custom', message: 'must list keys by endpoint or provider: name=key,name=key' });
  }
  return new Map(read.flatMap((entry) => (entry === null ? [] : [[entry[1] ?? '', entry[2] ?? ''] as const])));
};

/** Checks that each model has a provider, an address and a key, as far as its provider requires them. */
export function modelsRule(config: ModelSettings): EnvProblem[] {
  const { LLM_BASE_URL: baseUrl, LLM_SMALL_MODEL: smallModel } = config;
  const names = modelNames(config);
  const requested = smallModel === undefined ? names : [...names, smallModel];
  const known = (ids: Iterable<string>, of: readonly string[]) => [...ids].every((id) => id === '*' || of.includes(id));
  const problems: EnvProblem[] = [...endpointProblems(config, requested)];
  const isUsed = baseUrl !== undefined || config.LLM_PROVIDER !== 'openai-compatible';
  if (isUsed && names.length === 0) {
    problems.push({ variable: 'LLM_MODEL', message: 'is required with LLM_BASE_URL and with LLM_PROVIDER' });
  }
  for (const [variable, kind] of mediaSettings) {
    const message = mediaProblem(config, config[variable], kind);
    if (!known(config[variable], names)) {
      problems.push({ variable, message: 'must name models of LLM_MODEL and LLM_MODELS only' });
    } else if (message !== undefined) problems.push({ variable, message });
  }
  if (config.LLM_ANSWER_TOKENS * 2 > config.LLM_CONTEXT_TOKENS) {
    problems.push({ variable: 'LLM_ANSWER_TOKENS', message: 'must be at most half of LLM_CONTEXT_TOKENS' });
  }
  if (!known(config.LLM_THINK_TAGS.keys(), requested)) {
    problems.push({ variable: 'LLM_THINK_TAGS', message: 'must name models of this service only, or *' });
  }
  const fields = isUsed ? fieldsProblem(config, requested) : undefined;
  if (fields !== undefined) problems.push({ variable: 'LLM_MODEL_FIELDS', message: fields });
  return problems;
}

const mediaSettings = [
  ['LLM_VISION_MODELS', 'image'],
  ['LLM_PDF_MODELS', 'pdf'],
  ['LLM_AUDIO_MODELS', 'audio'],
] as const;

function mediaProblem(config: ModelSettings, names: readonly string[], kind: MediaKind): string | undefined {
  const providers = names.map((name) => endpointsOf(name, config)[0].provider);
  const unable = providers.find((provider) => !sentMedia[provider].includes(kind));
  return unable === undefined
    ? undefined
    : `must not name models of ${unable}: its package sends no files of this kind`;
}

function endpointProblems(config: ModelSettings, requested: readonly string[]): EnvProblem[] {
  const listed = modelEndpoints(config);
  const others = requested.filter((name) => listed.every((endpoint) => endpoint.name !== name));
  const used = [...listed, ...others.map((name) => endpointsOf(name, config)[0])];
  const keyed = new Set(used.flatMap(({ name, provider }) => [name, provider]));
  const hasStrangeKey = used.length > 0 && [...config.LLM_API_KEYS.keys()].some((name) => !keyed.has(name));
  const isOfBedrock = ({ name, provider }: ModelEndpoint) => provider === 'bedrock' && hasFields(config, name);
  return [
    ...standardProblems(config, used),
    ...config.LLM_MODELS.flatMap(entryProblems),
    ...used.filter(({ isFallback }) => isFallback).flatMap(namedProblems),
    ...(hasStrangeKey ? [problem('LLM_API_KEYS', 'must name models and providers of this service only')] : []),
    ...(used.some(isOfBedrock) ? [problem('LLM_MODEL_FIELDS', 'must have no fields for models of bedrock')] : []),
  ];
}

function problem(variable: string, message: string): EnvProblem {
  return { variable, message };
}

/** Problems of the endpoint for models without a provider of their own. */
function standardProblems(config: ModelSettings, used: readonly ModelEndpoint[]): EnvProblem[] {
  const { LLM_BASE_URL: baseUrl, LLM_API_KEY: key, LLM_API_KEYS: keys, LLM_PROVIDER: provider } = config;
  const models = used.filter(({ isFallback }) => !isFallback);
  const hasOthers = key !== undefined || keys.size > 0 || Object.keys(config.LLM_MODEL_FIELDS).length > 0;
  const isMeant = models.length > 0 || (used.length === 0 && hasOthers);
  const lacksUrl = baseUrl === undefined && isMeant && hasOwnAddress(provider);
  return [
    ...(lacksUrl ? [problem('LLM_BASE_URL', 'is required with the other LLM_ variables')] : []),
    ...(models.some(lacksKey) ? [problem('LLM_API_KEY', `is required with LLM_PROVIDER=${provider}`)] : []),
    ...(baseUrl === undefined || isPlace(baseUrl) ? [] : [problem('LLM_BASE_URL', `${placeRule}; see LLM_API_KEY`)]),
  ];
}

function entryProblems(entry: string): EnvProblem[] {
  const { provider, url } = namedEntry.exec(entry)?.groups ?? {};
  if (provider === undefined) return [];
  const isKnown = providerNames.some((name) => name === provider);
  return [
    ...(isKnown ? [] : [problem('LLM_MODELS', `has a provider that is not one of ${providerNames.join(', ')}`)]),
    ...(url === undefined || isPlace(url) ? [] : [problem('LLM_MODELS', placeRule)]),
  ];
}

function namedProblems(endpoint: ModelEndpoint): EnvProblem[] {
  const { name, provider, baseUrl } = endpoint;
  const lacksUrl = baseUrl === undefined && hasOwnAddress(provider);
  return [
    ...(lacksUrl ? [problem('LLM_MODELS', `must have an address for ${name}: name=${provider}:model@https://…`)] : []),
    ...(lacksKey(endpoint) ? [problem('LLM_API_KEYS', `must have a key for ${name} or ${provider}`)] : []),
  ];
}

/** Whether each customer of the provider has a separate address. */
function hasOwnAddress(provider: ModelEndpoint['provider']): boolean {
  return provider === 'openai-compatible' || provider === 'azure' || provider === 'bedrock';
}

/** Self-hosted servers often need no key. */
function lacksKey({ provider, apiKey }: ModelEndpoint): boolean {
  return provider !== 'openai-compatible' && apiKey === undefined;
}

function hasFields({ LLM_MODEL_FIELDS: all }: ModelSettings, name: string): boolean {
  return Object.keys(fieldsOf(all, name)).length > 0;
}

const placeRule = 'must have no user, password, query or fragment';

function isPlace(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { username, password, search, hash } = new URL(address);
  return `${username}${password}${search}${hash}` === '';
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
