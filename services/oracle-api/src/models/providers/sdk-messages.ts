import type { ModelMessage as SdkMessage } from 'ai';
import type { ModelMessage, ModelNotes } from '../language-model.js';
import { quoted } from '../quoted.js';
import { fileText } from './file-text.js';
import type { ToolNames } from './tool-names.js';

/**
 * A conversation in the SDK's shape, with what is from outside quoted. A result whose call is not there is left out: endpoints refuse
 * such a one.
 */
export function sdkMessages(messages: readonly ModelMessage[], names: ToolNames, notes?: ModelNotes): SdkMessage[] {
  const calls = new Map<string, string>();
  // Not all endpoints take two messages of a user in a row, so the notes stand in the first one.
  const first = messages.find(({ role }) => role === 'user');
  return messages.flatMap((message): SdkMessage[] => {
    if (message.role === 'user') return [userMessage(message, message === first ? notes : undefined)];
    if (message.role === 'tool') return toolMessage(message, calls);
    for (const { id, name } of message.toolCalls ?? []) calls.set(id, names.outer(name));
    return assistantMessage(message, names);
  });
}

/** Text alone stays text: not every endpoint takes parts. */
function userMessage({ content, files = [] }: ModelMessage, notes: ModelNotes | undefined): SdkMessage {
  const text = [...(notes === undefined ? [] : [notesText(notes)]), content, ...files.map(fileText)].join('\n\n');
  const images = files.flatMap((file) =>
    file.kind === 'image' ? [{ type: 'file' as const, data: file.bytes, mediaType: file.mediaType }] : [],
  );
  return { role: 'user', content: images.length === 0 ? text : [{ type: 'text', text }, ...images] };
}

function assistantMessage({ content, toolCalls = [] }: ModelMessage, names: ToolNames): SdkMessage[] {
  const text = content === '' ? [] : [{ type: 'text' as const, text: content }];
  const calls = toolCalls.map(({ id, name, args, signature }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: names.outer(name),
    input: args,
    ...(signature === undefined ? {} : { providerOptions: { google: { thoughtSignature: signature } } }),
  }));
  return text.length + calls.length === 0 ? [] : [{ role: 'assistant', content: [...text, ...calls] }];
}

function toolMessage(
  { content, toolCallId = '', isOwn }: ModelMessage,
  calls: ReadonlyMap<string, string>,
): SdkMessage[] {
  const toolName = calls.get(toolCallId);
  if (toolName === undefined) return [];
  const value = isOwn === true ? content : quoted(`tool ${toolName}`, content);
  return [
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }],
    },
  ];
}

function notesText({ text, sources }: ModelNotes): string {
  return quoted(['notes on what was said before, in short', ...sources].join('; '), text);
}
