import type { AssistantModelMessage, ProviderMetadata, ModelMessage as SdkMessage } from 'ai';
import type { NativeMessage } from '../language-model.js';
import { compatibleOptions, providerName } from './compatible-state.js';

/** Characters of JSON of a message that is sent back. A longer one is sent back without its endpoint's own parts. */
const nativeChars = 1024 * 1024;

type Part = Exclude<AssistantModelMessage['content'], string>[number];

/**
 * The answer of one step as it goes back to the endpoint with the results of its calls; undefined where it has no calls.
 *
 * @param messages of the SDK's response
 * @param metadata of the whole step
 */
export function nativeMessage(
  modelId: string,
  messages: readonly SdkMessage[],
  metadata: ProviderMetadata | undefined,
): NativeMessage | undefined {
  const answer = messages.find((message) => message.role === 'assistant');
  if (answer === undefined || typeof answer.content === 'string') return undefined;
  const { providerOptions, carriesReasoning } = compatibleOptions(metadata);
  const content = answer.content.filter(isSentBack).filter(({ type }) => type !== 'reasoning' || !carriesReasoning);
  if (!content.some(({ type }) => type === 'tool-call')) return undefined;
  const message = { ...answer, content: content.map(withSignature), ...(providerOptions && { providerOptions }) };
  const json = JSON.stringify(message);
  return json.length > nativeChars ? undefined : { modelId, message: JSON.parse(json) };
}

/** Calls that a provider made by itself, and files, stay with the provider. */
function isSentBack(part: Part): boolean {
  return (
    part.type === 'text' || part.type === 'reasoning' || (part.type === 'tool-call' && part.providerExecuted !== true)
  );
}

/** The SDK reads Gemini's signature under one name at compatible endpoints and sends it under another. */
function withSignature(part: Part): Part {
  if (part.type !== 'tool-call') return part;
  const { thoughtSignature } = part.providerOptions?.[providerName] ?? {};
  return thoughtSignature === undefined ? part : { ...part, providerOptions: { google: { thoughtSignature } } };
}
