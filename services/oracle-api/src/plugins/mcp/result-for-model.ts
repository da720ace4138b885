import { canonicalJson } from '../../agent/loop/call-records.js';
import { type ToolContext, ToolError } from '../api/plugin-tool.js';
import type { CallResult, ResultPart } from './server-replies.js';

const resultChars = 50_000;
const errorChars = 2_000;

type AddFile = ToolContext['addFile'];

/**
 * Converts a tool's result for the model: its text, its data, or both if the text has more than the data. Images, sound and other
 * files become attachments of the session; the text names each of them, and the reason if one is not shown. A long text is cut, with
 * a note.
 * @throws ToolError if the tool reports a failure, or its data are too long.
 */
export async function resultForModel(
  { content, structuredContent: data, isError }: CallResult,
  addFile: AddFile,
): Promise<unknown> {
  const texts: string[] = [];
  const add: AddFile = isError === true ? async () => ({ ok: false, reason: 'the tool failed' }) : addFile;
  for (const part of content ?? []) texts.push(await textOf(part, add));
  const text = texts.join('\n');
  if (isError === true) throw new ToolError(text === '' ? 'The tool reported a failure.' : text.slice(0, errorChars));
  const shown = text.length <= resultChars ? text : `${text.slice(0, resultChars)}… (cut)`;
  if (data === undefined || data === null) return shown;
  if (JSON.stringify(data).length > resultChars) {
    throw new ToolError('The result of the tool is too long to be read.');
  }
  return isIn(text, data) ? data : { text: shown, data };
}

/** Whether the data contain the text: servers repeat their data as text. */
function isIn(text: string, data: unknown): boolean {
  const json = JSON.stringify(data);
  if (json.includes(text) || json.includes(JSON.stringify(text))) return true;
  try {
    return canonicalJson(JSON.parse(text)) === canonicalJson(data);
  } catch {
    return false;
  }
}

async function textOf(part: ResultPart, addFile: AddFile): Promise<string> {
  const { type, text, name, uri, mimeType, data, resource } = part;
  switch (type) {
    case 'text':
      return text ?? '';
    case 'resource': {
      const { text: words, blob, mimeType: mediaType, uri: address } = resource ?? {};
      return words ?? fileText(blob, { what: mediaType ?? 'data', mediaType, filename: nameIn(address) }, addFile);
    }
    case 'resource_link':
      return `[${name ?? 'link'}: ${uri ?? ''}]`;
    default:
      return fileText(data, { what: mimeType ?? type, mediaType: mimeType, filename: name }, addFile);
  }
}

interface DescribedFile {
  readonly what: string;
  readonly mediaType: string | null | undefined;
  readonly filename: string | null | undefined;
}

/** Names a file, which is shown with the result if it is accepted. */
async function fileText(
  base64: string | null | undefined,
  { what, mediaType, filename }: DescribedFile,
  addFile: AddFile,
): Promise<string> {
  const bytes = Buffer.from(base64 ?? '', 'base64');
  if (bytes.length === 0) return `[${what} that is not shown: it has no bytes]`;
  const added = await addFile({ bytes, mediaType: mediaType ?? undefined, filename: filename ?? undefined });
  return added.ok ? `[${what}: ${added.attachment.filename}]` : `[${what} that is not shown: ${added.reason}]`;
}

function nameIn(uri: string | null | undefined): string | undefined {
  return uri?.split(/[/\\]/).at(-1)?.slice(0, 255) || undefined;
}
