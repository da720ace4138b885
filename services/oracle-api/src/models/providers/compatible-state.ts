import type { MetadataExtractor } from '@ai-sdk/openai-compatible';
import type { AssistantModelMessage, ProviderMetadata, ModelMessage as SdkMessage } from 'ai';
import { z } from 'zod';
import type { NativeMessage } from '../language-model.js';

/** The SDK's name for an endpoint that is compatible with OpenAI's protocol. */
export const providerName = 'llm';

/** Lists of reasoning that are streamed in pieces: OpenRouter's, and LiteLLM's for Claude. */
const listNames = ['reasoning_details', 'thinking_blocks'] as const;
const pieceTexts = ['text', 'summary', 'thinking'] as const;

const pieces = z.array(z.record(z.string(), z.json())).optional().catch(undefined);
const text = z.string().optional().catch(undefined);
const contentPart = z.looseObject({ type: z.string(), text, thinking: z.array(z.looseObject({ text })).optional() });
const chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({
          reasoning: text,
          reasoning_content: text,
          reasoning_details: pieces,
          thinking_blocks: pieces,
          content: z
            .union([z.string(), z.array(contentPart)])
            .optional()
            .catch(undefined),
        }),
      }),
    )
    .min(1),
});

type Piece = z.output<typeof pieces> extends (infer One)[] | undefined ? One : never;

/**
 * Collects the reasoning of a streamed answer under its original field names, because an endpoint expects the same fields back. The
 * SDK supports only `reasoning_content`.
 */
class CompatibleState {
  readonly #lists = new Map<(typeof listNames)[number], Piece[]>();
  #reasoning = '';
  #thinking = '';
  #text = '';
  #hasReasoningContent = false;

  read(raw: unknown): void {
    const parsed = chunk.safeParse(raw);
    if (!parsed.success) return;
    const delta = parsed.data.choices[0]?.delta;
    if (delta === undefined) return;
    this.#reasoning += delta.reasoning ?? '';
    this.#hasReasoningContent ||= (delta.reasoning_content ?? '') !== '';
    for (const name of listNames) {
      for (const piece of delta[name] ?? []) this.#lists.set(name, withPiece(this.#lists.get(name) ?? [], piece));
    }
    if (typeof delta.content === 'string') this.#text += delta.content;
    for (const part of typeof delta.content === 'object' ? delta.content : []) {
      this.#text += part.text ?? '';
      this.#thinking += (part.thinking ?? []).map((thought) => thought.text ?? '').join('');
    }
  }

  /** Fields of the assistant's message, under the key that the SDK copies into it. */
  metadata(): ProviderMetadata | undefined {
    const isPlain = this.#reasoning === '' || this.#hasReasoningContent;
    const textParts = this.#text === '' ? [] : [{ type: 'text', text: this.#text }];
    const thought = { type: 'thinking', thinking: [{ type: 'text', text: this.#thinking }] };
    const fields = {
      ...(isPlain ? {} : { reasoning: this.#reasoning }),
      ...Object.fromEntries(this.#lists),
      ...(this.#thinking === '' ? {} : { content: [thought, ...textParts] }),
    };
    if (Object.keys(fields).length === 0) return undefined;
    return { openaiCompatible: fields, [providerName]: { hasReasoningContent: this.#hasReasoningContent } };
  }
}

/** Pieces of one entry are joined; an encrypted entry is whole. */
function withPiece(list: readonly Piece[], piece: Piece): Piece[] {
  const last = list.at(-1);
  const isSameEntry = last?.['type'] === piece['type'] && last?.['index'] === piece['index'] && !('data' in piece);
  if (last === undefined || !isSameEntry) return [...list, piece];
  const nonNull = Object.fromEntries(Object.entries(piece).filter(([, value]) => value !== null));
  const joined = pieceTexts.flatMap((name) => {
    const [before, added] = [last[name], piece[name]];
    return typeof before === 'string' ? [[name, before + (typeof added === 'string' ? added : '')] as const] : [];
  });
  return [...list.slice(0, -1), { ...last, ...nonNull, ...Object.fromEntries(joined) }];
}

export const compatibleState: MetadataExtractor = {
  extractMetadata: async () => undefined,
  createStreamExtractor: () => {
    const state = new CompatibleState();
    return { processChunk: (raw) => state.read(raw), buildMetadata: () => state.metadata() };
  },
};

/** Provider options of an assistant's message, and whether its fields hold the reasoning, so that no other part needs to. */
function compatibleOptions(metadata: ProviderMetadata | undefined): {
  readonly providerOptions?: ProviderMetadata;
  readonly carriesReasoning: boolean;
} {
  const fields = metadata?.['openaiCompatible'];
  if (fields === undefined) return { carriesReasoning: false };
  return {
    providerOptions: { openaiCompatible: fields },
    carriesReasoning: metadata?.[providerName]?.['hasReasoningContent'] !== true,
  };
}

/** Characters of JSON of a message that is sent back. A longer one is sent back without its endpoint's own parts. */
const nativeChars = 1024 * 1024;

type Part = Exclude<AssistantModelMessage['content'], string>[number];

/**
 * The answer of one step in the form in which it is sent back to the endpoint with the results of its calls; undefined without calls.
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

/** Calls that a provider made itself, and files, are not sent back. */
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
