import { type LanguageModelUsage, streamText, type TextStreamPart, type ToolSet } from 'ai';
import { z } from 'zod';
import type { LanguageModel, ModelPart, ModelRequest } from '../language-model.js';
import { ModelError } from '../model-error.js';
import { type openEndpoint, providerName, withoutCalls } from './endpoint.js';
import { providerError } from './provider-error.js';
import { sdkMessages } from './sdk-messages.js';
import { ToolNames } from './tool-names.js';

export interface SdkModelOptions {
  readonly id: string;
  readonly model: ReturnType<ReturnType<typeof openEndpoint>>;
  readonly contextTokens: number;
  /** Tokens that one answer may have at most. */
  readonly answerTokens: number;
  readonly seesImages?: boolean;
}

const filtered = 'The model provider does not let the model say this.';

/** A model behind an endpoint that speaks the chat completions protocol. One call of `stream` is one request. */
export function sdkModel({
  id,
  model,
  contextTokens,
  answerTokens,
  seesImages = false,
}: SdkModelOptions): LanguageModel {
  return {
    id,
    label: id,
    contextTokens,
    seesImages,
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
      const names = new ToolNames(request.tools ?? []);
      const stop = new AbortController();
      const { fullStream } = streamText({
        model,
        ...(request.instructions ? { system: request.instructions } : {}),
        messages: sdkMessages(request.messages, names, request.notes),
        ...(names.isEmpty ? {} : { tools: names.sdkTools() }),
        ...(request.mayCall === false ? { providerOptions: withoutCalls } : {}),
        maxOutputTokens: answerTokens,
        // Whoever calls this knows when another try is no risk.
        maxRetries: 0,
        abortSignal: AbortSignal.any([signal, stop.signal]),
        // Failures come through the stream; by default they would be printed, with address and body.
        onError: () => undefined,
      });
      try {
        for await (const part of fullStream) yield* modelParts(part, names);
      } catch (error) {
        throw providerError(error);
      } finally {
        stop.abort();
      }
    },
  };
}

function* modelParts(part: TextStreamPart<ToolSet>, names: ToolNames): Iterable<ModelPart> {
  switch (part.type) {
    case 'text-delta':
      yield { type: 'text', delta: part.text };
      return;
    case 'reasoning-delta':
      yield { type: 'reasoning', delta: part.text };
      return;
    case 'tool-call':
      yield toolCall(names.own(part.toolName), part);
      return;
    case 'finish':
      if (part.finishReason === 'length') yield { type: 'cut' };
      yield* counted(part.totalUsage);
      // What was said ends in the midst, and would end there again.
      if (part.finishReason === 'content-filter') throw new ModelError('unknown', filtered, { retryable: false });
      return;
    case 'error':
      throw part.error;
    default:
  }
}

const signedCall = z.object({ [providerName]: z.object({ thoughtSignature: z.string().max(65_536) }) });
const argsObject = z.record(z.string(), z.unknown());

function toolCall(
  name: string,
  { input, providerMetadata }: { input: unknown; providerMetadata?: unknown },
): ModelPart {
  const args = argsObject.safeParse(input ?? {});
  const signature = signatureOf(providerMetadata);
  if (args.success) return { type: 'tool_call', call: { name, args: args.data, ...signature } };
  return { type: 'tool_call', call: { name, args: {} }, problem: 'The arguments are not a JSON object.' };
}

/** Gemini refuses the results of calls without it. */
function signatureOf(metadata: unknown): { signature?: string } {
  const signed = signedCall.safeParse(metadata);
  return signed.success ? { signature: signed.data[providerName].thoughtSignature } : {};
}

/** Nothing from an endpoint that does not count. */
function* counted({ inputTokens, outputTokens }: LanguageModelUsage): Iterable<ModelPart> {
  if (inputTokens === undefined || outputTokens === undefined) return;
  yield { type: 'usage', usage: { inputTokens, outputTokens } };
}
