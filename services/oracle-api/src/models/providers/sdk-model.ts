import { type ModelMessage as SdkMessage, streamText, type TextStreamPart, type ToolSet } from 'ai';
import { z } from 'zod';
import type { LanguageModel, ModelPart, ModelRequest } from '../language-model.js';
import type { ModelEndpoint } from '../model-endpoints.js';
import { ModelError } from '../model-error.js';
import { ThinkTagReader, type ThinkTags } from '../think-tags.js';
import { checkedUsage } from '../usage.js';
import { answerEnding } from './answer-ending.js';
import { nativeMessage } from './compatible-state.js';
import type { SdkLanguageModel } from './open-provider.js';
import { providerError } from './provider-error.js';
import { requestOptions } from './request-rules.js';
import { sdkMessages } from './sdk-messages.js';
import { ToolNames } from './tool-names.js';

export interface SdkModelOptions {
  readonly id: string;
  readonly provider: ModelEndpoint['provider'];
  readonly model: SdkLanguageModel;
  readonly contextTokens: number;
  /** Maximum tokens of one answer. */
  readonly answerTokens: number;
  readonly seesImages?: boolean;
  readonly readsPdfs?: boolean;
  readonly hearsAudio?: boolean;
  /** Whether the text starts with thinking in tags; `off` by default. */
  readonly thinkTags?: ThinkTags;
}

/** A model at an endpoint that the AI SDK supports. One call of `stream` is one request. */
export function sdkModel(options: SdkModelOptions): LanguageModel {
  const { id, provider, contextTokens, seesImages = false, readsPdfs = false, hearsAudio = false } = options;
  return {
    id,
    label: id,
    provider,
    contextTokens,
    seesImages,
    readsPdfs,
    hearsAudio,
    async *stream(request, signal): AsyncIterable<ModelPart> {
      const stop = new AbortController();
      try {
        yield* answerParts(options, request, AbortSignal.any([signal, stop.signal]));
      } catch (error) {
        throw providerError(error);
      } finally {
        stop.abort();
      }
    },
  };
}

async function* answerParts(
  options: SdkModelOptions,
  request: ModelRequest,
  abortSignal: AbortSignal,
): AsyncIterable<ModelPart> {
  const names = new ToolNames(request.tools ?? []);
  const answer = streamText({
    ...callOf(options, request, names),
    // The caller decides on retries, because only it knows whether a part was sent.
    maxRetries: 0,
    abortSignal,
    // Failures are parts of the stream; the SDK's default would print them, with address and body.
    onError: () => undefined,
  });
  const text = new ThinkTagReader(options.thinkTags ?? 'off');
  let step: FinishedStep | undefined;
  for await (const part of answer.fullStream) {
    if (part.type === 'text-delta') yield* text.read(part.text);
    else if (part.type === 'reasoning-delta') yield { type: 'reasoning', delta: part.text };
    else if (part.type === 'tool-call') yield toolCall(names.own(part.toolName), part);
    else if (part.type === 'finish-step') step = part;
    else if (part.type === 'error') throw part.error;
  }
  yield* text.end();
  // A stopped answer has neither an ending nor a response.
  if (step !== undefined) yield* endOf(options, step, async () => (await answer.response).messages);
}

function callOf(options: SdkModelOptions, request: ModelRequest, names: ToolNames) {
  const { id, model, provider, answerTokens } = options;
  const { instructions, messages, notes } = request;
  return {
    model,
    ...(instructions ? { system: instructions } : {}),
    messages: sdkMessages({ modelId: id, provider, accepted: options, messages, names, notes }),
    ...(names.isEmpty ? {} : { tools: names.sdkTools() }),
    providerOptions: requestOptions(request, names),
    maxOutputTokens: answerTokens,
  };
}

type FinishedStep = Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>;

async function* endOf(
  { id, contextTokens }: SdkModelOptions,
  { finishReason, rawFinishReason, usage, providerMetadata }: FinishedStep,
  messages: () => Promise<readonly SdkMessage[]>,
): AsyncIterable<ModelPart> {
  const ending = answerEnding(finishReason, rawFinishReason);
  const isFailure = ending instanceof ModelError;
  const native = isFailure ? undefined : nativeMessage(id, await messages(), providerMetadata);
  if (native !== undefined) yield { type: 'native', native };
  if (ending === 'cut') yield { type: 'cut' };
  const { inputTokens = Number.NaN, outputTokens = Number.NaN } = usage;
  const counted = checkedUsage({ inputTokens, outputTokens }, { contextTokens });
  if (counted !== undefined) yield { type: 'usage', usage: counted };
  // The text ends in the middle, and may end there again.
  if (isFailure) throw ending;
}

const argsObject = z.record(z.string(), z.unknown());

function toolCall(name: string, { input, toolCallId: nativeId }: { input: unknown; toolCallId: string }): ModelPart {
  const args = argsObject.safeParse(input ?? {});
  if (args.success) return { type: 'tool_call', call: { name, args: args.data, nativeId } };
  return { type: 'tool_call', call: { name, args: {}, nativeId }, problem: 'The arguments are not a JSON object.' };
}
