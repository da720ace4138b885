import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { streamText } from 'ai';
import { boundedReply } from './bounded-reply.js';

/** Where models are asked. */
export interface Endpoint {
  readonly baseUrl: string;
  /** Servers of one's own often want none. */
  readonly apiKey?: string;
}

type SdkModel = Exclude<Parameters<typeof streamText>[0]['model'], string>;

/** The models of an endpoint, by their ids. */
export function openEndpoint({ baseUrl, apiKey }: Endpoint): (modelId: string) => SdkModel {
  const provider = createOpenAICompatible({
    name: 'llm',
    baseURL: baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    includeUsage: true,
    // A redirect would carry conversations to a place that nobody configured.
    fetch: async (input, init) => boundedReply(await fetch(input, { ...init, redirect: 'error' })),
  });
  return (modelId) => provider.chatModel(modelId);
}
