import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { streamText } from 'ai';
import { type BodyFields, withFields } from '../model-fields.js';
import { adaptRequests } from './adapted-requests.js';
import { boundedReply } from './bounded-reply.js';
import { compatibleState, providerName } from './compatible-state.js';
import { tolerantEvents } from './tolerant-events.js';

/** Where models are asked. */
export interface Endpoint {
  readonly baseUrl: string;
  /** Servers of one's own often want none. */
  readonly apiKey?: string;
  /** What the body of a request has for a model, beside what the service says itself. */
  readonly fieldsOf?: (modelId: string) => BodyFields;
}

const noCalls = 'noCalls';

/** Has a model answer in words. The SDK has a word for that too, but fails where a model does not keep to it: not all do. */
export const withoutCalls = { [providerName]: { [noCalls]: true } };

type SdkModel = Exclude<Parameters<typeof streamText>[0]['model'], string>;

/** The models of an endpoint, by their ids. */
export function openEndpoint({ baseUrl, apiKey, fieldsOf = () => ({}) }: Endpoint): (modelId: string) => SdkModel {
  const provider = createOpenAICompatible({
    name: providerName,
    baseURL: baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    includeUsage: true,
    metadataExtractor: compatibleState,
    transformRequestBody: ({ [noCalls]: isWithoutCalls, ...body }) =>
      withFields(isWithoutCalls === true ? { ...body, tool_choice: 'none' } : body, fieldsOf(String(body['model']))),
    // A redirect would carry conversations to a place that nobody configured.
    fetch: adaptRequests(async (input, init) =>
      tolerantEvents(boundedReply(await fetch(input, { ...init, redirect: 'error' }))),
    ),
  });
  return (modelId) => provider.chatModel(modelId);
}
