import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { streamText } from 'ai';
import { type BodyFields, withFields } from '../model-fields.js';
import { answerLimit } from './answer-limit.js';
import { boundedReply } from './bounded-reply.js';

/** Where models are asked. */
export interface Endpoint {
  readonly baseUrl: string;
  /** Servers of one's own often want none. */
  readonly apiKey?: string;
  /** What the body of a request has for a model, beside what the service says itself. */
  readonly fieldsOf?: (modelId: string) => BodyFields;
}

type SdkModel = Exclude<Parameters<typeof streamText>[0]['model'], string>;

/** The models of an endpoint, by their ids. */
export function openEndpoint({ baseUrl, apiKey, fieldsOf = () => ({}) }: Endpoint): (modelId: string) => SdkModel {
  const provider = createOpenAICompatible({
    name: 'llm',
    baseURL: baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    includeUsage: true,
    transformRequestBody: (body) => withFields(body, fieldsOf(String(body['model']))),
    // A redirect would carry conversations to a place that nobody configured.
    fetch: answerLimit(async (input, init) => boundedReply(await fetch(input, { ...init, redirect: 'error' }))),
  });
  return (modelId) => provider.chatModel(modelId);
}
