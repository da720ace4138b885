import { type streamText, wrapLanguageModel } from 'ai';
import type { ModelEndpoint } from '../model-endpoints.js';
import type { BodyFields } from '../model-fields.js';
import { adaptRequests } from './adapted-requests.js';
import { boundedReply } from './bounded-reply.js';
import { compatibleState, providerName } from './compatible-state.js';
import { type ProviderModel, requestRules } from './request-rules.js';
import { tolerantEvents } from './tolerant-events.js';

export type SdkLanguageModel = Exclude<Parameters<typeof streamText>[0]['model'], string>;

/** Address of a model, and additional fields of its requests. */
export interface OpenProviderOptions extends Pick<ModelEndpoint, 'provider' | 'model' | 'baseUrl' | 'apiKey'> {
  readonly fields?: BodyFields;
}

/** Opens a model of a provider. Loads the provider's package on demand, so only packages in use are loaded. */
export async function openProvider(options: OpenProviderOptions): Promise<SdkLanguageModel> {
  const model = await providerModel(options);
  // The SDK would print warnings about unsupported fields to the console, not to the service's log.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return wrapLanguageModel({ model, middleware: requestRules(options.provider) });
}

async function providerModel({
  provider,
  model,
  baseUrl,
  apiKey = '',
  fields = {},
}: OpenProviderOptions): Promise<ProviderModel> {
  const fetch = adaptRequests(boundedFetch, fields);
  const settings = { apiKey, fetch, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) };
  switch (provider) {
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(settings).responses(model);
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(settings)(model);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings)(model);
    case 'mistral':
      return (await import('@ai-sdk/mistral')).createMistral(settings)(model);
    case 'deepseek':
      return (await import('@ai-sdk/deepseek')).createDeepSeek(settings)(model);
    case 'openrouter': {
      const { createOpenRouter } = await import('@openrouter/ai-sdk-provider');
      return createOpenRouter({ ...settings, compatibility: 'strict' }).chat(model);
    }
    case 'azure':
      return (await import('@ai-sdk/azure')).createAzure(settings).responses(model);
    case 'bedrock': {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
      // Signed requests cannot be changed, so they are not adapted.
      const place = { ...settings, ...awsKeys(apiKey), region: regionOf(baseUrl), fetch: boundedFetch };
      return createAmazonBedrock(place)(model);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: providerName,
        baseURL: baseUrl ?? '',
        ...(apiKey === '' ? {} : { apiKey }),
        includeUsage: true,
        supportsStructuredOutputs: true,
        metadataExtractor: compatibleState,
        fetch: adaptRequests(async (...request) => tolerantEvents(await boundedFetch(...request)), fields),
      }).chatModel(model);
    }
  }
}

/** A redirect would carry conversations to an address that is not configured. */
const boundedFetch: typeof globalThis.fetch = async (input, init) =>
  boundedReply(await fetch(input, { ...init, redirect: 'error' }));

/** Bedrock accepts an API key, or an access key as `id:secret` or `id:secret:session`. */
function awsKeys(key: string) {
  const [, accessKeyId, secretAccessKey, sessionToken] = /^(A[KS]IA[A-Z0-9]+):([^:]+)(?::(.+))?$/.exec(key) ?? [];
  if (accessKeyId === undefined || secretAccessKey === undefined) return {};
  return { apiKey: '', accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

function regionOf(baseUrl: string | undefined): string {
  return /bedrock-runtime\.([a-z0-9-]+)\./.exec(baseUrl ?? '')?.[1] ?? 'us-east-1';
}
