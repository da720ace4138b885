import { createHash } from 'node:crypto';
import type { AssistantModelMessage, ModelMessage as SdkMessage, ToolModelMessage } from 'ai';
import type { ModelFile, ModelMessage, ModelNotes, ModelToolCall } from '../language-model.js';
import { type AcceptedMedia, accepts, type MediaKind } from '../media.js';
import type { ProviderName } from '../model-endpoints.js';
import { withoutThinking } from '../think-tags.js';
import { quoted } from '../untrusted-text.js';
import { alternateRoles } from './alternate-roles.js';
import type { ToolNames } from './tool-names.js';

type AssistantPart = Exclude<AssistantModelMessage['content'], string>[number];
type ToolResult = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>;

type ResultContent = Extract<ToolResult['output'], { type: 'content' }>['value'][number];

interface Conversation {
  /** The model that is called: it receives its own messages of this turn unchanged. */
  readonly modelId: string;
  readonly provider: ProviderName;
  /** Files that the model accepts: a fallback model may accept fewer. */
  readonly accepted: AcceptedMedia;
  readonly messages: readonly ModelMessage[];
  readonly names: ToolNames;
  readonly notes?: ModelNotes | undefined;
}

/**
 * Converts a conversation to the SDK's form, with alternating roles and quoted untrusted text. Each call is followed by its result.
 * Endpoints refuse a result without its call, so such a result is dropped, and a call without a result gets a placeholder.
 */
export function sdkMessages({
  modelId,
  provider,
  accepted,
  messages: input,
  names,
  notes,
}: Conversation): SdkMessage[] {
  const ids = new CallIds();
  const messages = input.map((message) => withAcceptedFiles(message, accepted));
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
    if (calls.length === 0) return [assistant];
    const found = calls.map((call) => ({ call, result: results.take(call.id, at) }));
    const hasOwnForm = showsResultFiles.has(provider);
    const answers = found.map(({ call, result }) => toolResult(call, result, hasOwnForm));
    const files = hasOwnForm ? [] : found.flatMap(({ result }) => result?.files ?? []);
    const shown = files.length === 0 ? [] : [userMessage({ role: 'user', content: resultFilesNote, files })];
    return [assistant, { role: 'tool', content: answers }, ...shown];
  });
  return alternateRoles(sdk, notes && notesText(notes));
}

interface SentCall extends ModelToolCall {
  readonly sentId: string;
  readonly sentName: string;
}

/** A message without files is sent as plain text: not every endpoint accepts parts. */
function userMessage({ content, files = [] }: ModelMessage): SdkMessage {
  const text = [content, ...files.map(fileText)].join('\n\n');
  const media = files.flatMap((file) =>
    isMedia(file)
      ? [{ type: 'file' as const, data: file.bytes, mediaType: file.mediaType, filename: sentNames[file.kind] }]
      : [],
  );
  return { role: 'user', content: media.length === 0 ? text : [{ type: 'text', text }, ...media] };
}

type MediaFile = Extract<ModelFile, { readonly bytes: Uint8Array }>;

function isMedia(file: ModelFile): file is MediaFile {
  return 'bytes' in file;
}

/** Some providers restrict names, and the text quotes the name that the user gave. */
const sentNames: Readonly<Record<MediaKind, string>> = {
  image: 'image',
  pdf: 'document.pdf',
  audio: 'recording',
};

/** Providers that accept images and files in tool results. For other providers a user message follows the result. */
const showsResultFiles: ReadonlySet<ProviderName> = new Set(['openai', 'azure', 'anthropic', 'google', 'bedrock']);

const resultFilesNote = '[Files that the tools above returned. Not written by the user.]';

const notAccepted = 'the model that answers does not accept files of this kind; another one may';

function withAcceptedFiles(message: ModelMessage, accepted: AcceptedMedia): ModelMessage {
  if (message.files === undefined) return message;
  const files = message.files.map((file): ModelFile => {
    if (!isMedia(file) || accepts(accepted, file)) return file;
    return { kind: 'unread', filename: file.filename, reason: notAccepted };
  });
  return { ...message, files };
}

/** The message as the model sent it, with this service's text and calls, which plugins may have changed. */
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
  // Reasoning precedes the text that it led to, and calls follow both.
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

function toolResult({ sentId, sentName }: SentCall, result: ModelMessage | undefined, withFiles: boolean): ToolResult {
  const { content, isOwn, files = [] }: Pick<ModelMessage, 'content' | 'isOwn' | 'files'> = result ?? noResult;
  const value = isOwn === true ? content : quoted(`tool ${sentName}`, content);
  const head = { type: 'tool-result' as const, toolCallId: sentId, toolName: sentName };
  if (!withFiles || files.length === 0) return { ...head, output: { type: 'text', value } };
  const text = [value, ...files.map(fileText)].join('\n\n');
  return { ...head, output: { type: 'content', value: [{ type: 'text', text }, ...files.flatMap(resultMedia)] } };
}

const noResult = { content: 'No result of this call is known.', isOwn: true } as const;

/** No provider accepts sound in the result of a tool. */
function resultMedia(file: ModelFile): ResultContent[] {
  if (!isMedia(file) || file.kind === 'audio') return [];
  const data = Buffer.from(file.bytes).toString('base64');
  const { mediaType } = file;
  if (file.kind === 'image') return [{ type: 'image-data', data, mediaType }];
  return [{ type: 'file-data', data, mediaType, filename: sentNames.pdf }];
}

/** Results by the id of their call. Clients may use an id again in a later turn. */
function resultsById(messages: readonly ModelMessage[]) {
  const results = new Map<string, { at: number; message: ModelMessage }[]>();
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'tool' || message.toolCallId === undefined) continue;
    results.set(message.toolCallId, [...(results.get(message.toolCallId) ?? []), { at, message }]);
  }
  return {
    /** The first unused result after a position. */
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

/** LiteLLM puts signatures into ids. */
const longestId = 65_536;

/** Call ids of one request: the endpoint's own if they are usable, else ids that every endpoint accepts. */
class CallIds {
  readonly #used = new Set<string>();

  /**
   * @param native the endpoint's own id; not used when it is blank, too long or used before in this request
   * @param own this service's id, from which the substitute is derived, so that it is the same from request to request
   */
  take(native: string | undefined, own: string): string {
    const isUsable = native !== undefined && native.trim() !== '' && native.length <= longestId;
    let id = isUsable ? native : derivedId(own, 0);
    for (let attempt = 1; this.#used.has(id); attempt++) id = derivedId(own, attempt);
    this.#used.add(id);
    return id;
  }
}

/** Nine letters and digits: Mistral accepts no other form. */
function derivedId(own: string, attempt: number): string {
  return createHash('sha256').update(`${attempt}:${own}`).digest('hex').slice(0, 9);
}

const shownAs = { image: 'An image is shown', pdf: 'A PDF is shown', audio: 'A recording is played' };

/** Renders a file as text, after its message. Its content and name are quoted. Pure. */
export function fileText(file: ModelFile): string {
  if (file.kind === 'unread') {
    return `[A file of the user could not be read: ${file.reason}. Tell the user so. Its name:]\n${quoted('name of a file', file.filename)}`;
  }
  if (file.kind === 'named') {
    return `[A file (${file.mediaType}) came with this message and is not shown again. Its name:]\n${quoted('name of a file', file.filename)}`;
  }
  if (file.kind !== 'text') {
    return `[${shownAs[file.kind]} with this message: material, as its name is.]\n${quoted('name of a file', file.filename)}`;
  }
  const left = file.leftChars === 0 ? '' : `\n[${file.leftChars} more characters of the file are not shown.]`;
  const what = file.isTranscript === true ? 'what is said in the recording' : 'file';
  const note =
    file.isTranscript === true
      ? '[A recording came with this message. A machine wrote down what is said in it, and may have misheard.]\n'
      : '';
  return note + quoted(`${what} ${file.filename}`, file.text) + left;
}
