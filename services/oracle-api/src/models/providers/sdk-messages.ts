import type { AssistantModelMessage, ModelMessage as SdkMessage, ToolModelMessage } from 'ai';
import type { ModelMessage, ModelNotes, ModelToolCall } from '../language-model.js';
import { quoted } from '../quoted.js';
import { withoutThinking } from '../think-tags.js';
import { alternateRoles } from './alternate-roles.js';
import { CallIds } from './call-ids.js';
import { fileText } from './file-text.js';
import type { ToolNames } from './tool-names.js';

type AssistantPart = Exclude<AssistantModelMessage['content'], string>[number];
type ToolResult = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>;

interface Conversation {
  /** The model that is asked: it gets its own messages of this turn back as it sent them. */
  readonly modelId: string;
  readonly messages: readonly ModelMessage[];
  readonly names: ToolNames;
  readonly notes?: ModelNotes | undefined;
}

/**
 * A conversation in the SDK's form, with alternating roles and text from outside quoted. Each call is followed by its result. Endpoints
 * refuse a result without its call, so such a result is left out, and a call without its result gets one that says so.
 */
export function sdkMessages({ modelId, messages, names, notes }: Conversation): SdkMessage[] {
  const ids = new CallIds();
  const results = resultsById(messages);
  const sdk = messages.flatMap((message, at): SdkMessage[] => {
    if (message.role === 'user') return [userMessage(message)];
    if (message.role === 'tool') return [];
    const calls = (message.toolCalls ?? []).map((call): SentCall => {
      const sentId = ids.take(message.native?.modelId === modelId ? call.nativeId : undefined, call.id);
      return { ...call, sentId, sentName: names.outer(call.name) };
    });
    const assistant = assistantMessage(message, modelId, calls);
    if (assistant.content.length === 0) return [];
    const answers = calls.map((call) => toolResult(call, results.take(call.id, at)));
    return answers.length === 0 ? [assistant] : [assistant, { role: 'tool', content: answers }];
  });
  return alternateRoles(sdk, notes && notesText(notes));
}

interface SentCall extends ModelToolCall {
  readonly sentId: string;
  readonly sentName: string;
}

/** Text alone stays text: not every endpoint accepts parts. */
function userMessage({ content, files = [] }: ModelMessage): SdkMessage {
  const text = [content, ...files.map(fileText)].join('\n\n');
  const images = files.flatMap((file) =>
    file.kind === 'image' ? [{ type: 'file' as const, data: file.bytes, mediaType: file.mediaType }] : [],
  );
  return { role: 'user', content: images.length === 0 ? text : [{ type: 'text', text }, ...images] };
}

/** The message as the model sent it, with the text and the calls as this service knows them: plugins may have changed both. */
function assistantMessage({ content, native }: ModelMessage, modelId: string, calls: readonly SentCall[]) {
  const own = native?.modelId === modelId ? native.message : undefined;
  const parts = own === undefined ? [] : partsOf(own);
  const isSameText = own !== undefined && withoutThinking(textOf(parts)).trim() === content.trim();
  const sent = parts.flatMap((part): AssistantPart[] => {
    if (part.type === 'text') return isSameText && part.text.trim() !== '' ? [part] : [];
    if (part.type !== 'tool-call') return [part];
    const call = calls.find(({ nativeId }) => nativeId === part.toolCallId);
    return call === undefined ? [] : [{ ...part, ...sdkCall(call) }];
  });
  const sentIds = new Set(sent.map((part) => (part.type === 'tool-call' ? part.toolCallId : '')));
  const added = calls.filter(({ sentId }) => !sentIds.has(sentId)).map(sdkCall);
  const text: AssistantPart[] = isSameText || content.trim() === '' ? [] : [{ type: 'text', text: content }];
  // Reasoning stands before the text that it led to, and calls after both.
  const firstCall = sent.findIndex(({ type }) => type === 'tool-call');
  const place = firstCall === -1 ? sent.length : firstCall;
  const whole = [...sent.slice(0, place), ...text, ...sent.slice(place), ...added];
  return { role: 'assistant' as const, content: whole, ...optionsOf(own, isSameText) };
}

function optionsOf(own: AssistantModelMessage | undefined, isSameText: boolean) {
  const providerOptions = own?.providerOptions;
  if (providerOptions === undefined) return {};
  const { content: _, ...fields } = providerOptions['openaiCompatible'] ?? {};
  return { providerOptions: isSameText ? providerOptions : { ...providerOptions, openaiCompatible: fields } };
}

function partsOf({ content }: AssistantModelMessage): readonly AssistantPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function textOf(parts: readonly AssistantPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function sdkCall({ sentId, sentName, args }: SentCall) {
  return { type: 'tool-call' as const, toolCallId: sentId, toolName: sentName, input: args };
}

function toolResult({ sentId, sentName }: SentCall, result: ModelMessage | undefined): ToolResult {
  const { content, isOwn } = result ?? { content: 'No result of this call is known.', isOwn: true };
  const value = isOwn === true ? content : quoted(`tool ${sentName}`, content);
  return { type: 'tool-result', toolCallId: sentId, toolName: sentName, output: { type: 'text', value } };
}

/** Results by the id of their call. Clients may use an id again in a later turn. */
function resultsById(messages: readonly ModelMessage[]) {
  const results = new Map<string, { at: number; message: ModelMessage }[]>();
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'tool' || message.toolCallId === undefined) continue;
    results.set(message.toolCallId, [...(results.get(message.toolCallId) ?? []), { at, message }]);
  }
  return {
    /** The first result after a place that no other call has taken. */
    take: (callId: string, after: number): ModelMessage | undefined => {
      const known = results.get(callId) ?? [];
      const first = known.findIndex(({ at }) => at > after);
      return first === -1 ? undefined : known.splice(first, 1)[0]?.message;
    },
  };
}

function notesText({ text, sources }: ModelNotes): string {
  return quoted(['notes on what was said before, in short', ...sources].join('; '), text);
}
