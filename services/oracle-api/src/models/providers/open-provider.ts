import { type LanguageModelMiddleware, type streamText, wrapLanguageModel } from 'ai';
import type { ModelRequest } from '../language-model.js';
import type { ModelEndpoint, ProviderName } from '../model-endpoints.js';
import type { BodyFields } from '../model-fields.js';
import { adaptRequests } from './adapted-requests.js';
import { boundedReply } from './bounded-reply.js';
import { compatibleState, providerName } from './compatible-state.js';
import { tolerantEvents } from './tolerant-events.js';

export type SdkLanguageModel = Exclude<Parameters<typeof streamText>[0]['model'], string>;
type ProviderModel = Parameters<typeof wrapLanguageModel>[0]['model'];
type LanguageModelV3CallOptions = Parameters<Extract<ProviderModel, { specificationVersion: 'v3' }>['doStream']>[0];
type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>;

/** Where a model is, and what its requests have beside the fields of this service. */
export interface OpenProviderOptions extends Pick<ModelEndpoint, 'provider' | 'model' | 'baseUrl' | 'apiKey'> {
  readonly fields?: BodyFields;
}

/** What a request asks for beside the SDK's own options: `toolChoice` there fails when a model does not obey, and not all do. */
export function requestOptions({
  mayCall = true,
  responseSchema,
}: {
  readonly mayCall: ModelRequest['mayCall'] | undefined;
  readonly responseSchema: ModelRequest['responseSchema'] | undefined;
}): ProviderOptions {
  const schema = responseSchema === undefined ? {} : { responseSchema: JSON.stringify(responseSchema) };
  return { mlango: { mayCall, ...schema } };
}

const wordsOnly = 'Answer in words now. Tools cannot be called any more.';

/** A model of a provider. The provider's package is loaded here, for the providers in use alone. */
export async function openProvider(options: OpenProviderOptions): Promise<SdkLanguageModel> {
  const model = await providerModel(options);
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
      // Signed requests cannot be changed, and have no form to adapt.
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

function requestRules(provider: ProviderName): LanguageModelMiddleware {
  // These two have no way to keep tools declared and uncalled.
  const isTold = provider === 'anthropic' || provider === 'bedrock';
  return {
    specificationVersion: 'v3',
    transformParams: async ({ params: { providerOptions, ...params } }) => {
      const { mlango, ...others } = providerOptions ?? {};
      // Nothing of a conversation is stored at OpenAI; its reasoning comes back encrypted instead. Strict schemas allow few keywords.
      const ownOptions = { store: false, strictJsonSchema: false };
      const asked = {
        ...params,
        ...responseFormat(mlango?.['responseSchema']),
        providerOptions: {
          ...others,
          openai: ownOptions,
          azure: ownOptions,
          [providerName]: { strictJsonSchema: false },
        },
      };
      if (mlango?.['mayCall'] !== false) return asked;
      if (!isTold) return { ...asked, toolChoice: { type: 'none' } };
      const [first, ...rest] = params.prompt;
      if (first?.role !== 'system')
        return { ...asked, prompt: [{ role: 'system', content: wordsOnly }, ...params.prompt] };
      return { ...asked, prompt: [{ ...first, content: `${first.content}\n\n${wordsOnly}` }, ...rest] };
    },
  };
}

function responseFormat(schema: unknown): Pick<LanguageModelV3CallOptions, 'responseFormat'> {
  return typeof schema === 'string'
    ? { responseFormat: { type: 'json', schema: JSON.parse(schema), name: 'answer' } }
    : {};
}

/** Bedrock accepts an API key, or an access key as `id:secret` or `id:secret:session`. */
function awsKeys(key: string) {
  const [, accessKeyId, secretAccessKey, sessionToken] = /^(A[KS]IA[A-Z0-9]+):([^:]+)(?::(.+))?$/.exec(key) ?? [];
  if (accessKeyId === undefined || secretAccessKey === undefined) return {};
  return { apiKey: '', accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

function regionOf(baseUrl: string | undefined): string {
  return /bedrock-runtime\.([a-z0-9-]+)\./.exec(baseUrl ?? '')?.[1] ?? 'us-east-1';
}
