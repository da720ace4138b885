import { canonicalJson } from '../../agent/loop/call-records.js';
import { type ToolContext, ToolError } from '../api/plugin-tool.js';
import type { CallResult, ResultPart } from './server-replies.js';

const resultChars = 50_000;
const errorChars = 2_000;

type AddFile = ToolContext['addFile'];

/**
 * What a tool gave back, as the model is shown it: its text, its data, or both where the text says more than the data. Images, sound and other
 * files become attachments of the session; the text names each of them, and why one is not shown. A text that is too long is cut, and says so.
 * @throws ToolError when the tool says that it failed, or its data is too long.
 */
export async function resultForModel(
  { content, structuredContent: data, isError }: CallResult,
  addFile: AddFile,
): Promise<unknown> {
  const texts: string[] = [];
  const add: AddFile = isError === true ? async () => ({ ok: false, reason: 'the tool failed' }) : addFile;
  for (const part of content ?? []) texts.push(await textOf(part, add));
  const text = texts.join('\n');
  if (isError === true) throw new ToolError(text === '' ? 'The tool says that it failed.' : text.slice(0, errorChars));
  const shown = text.length <= resultChars ? text : `${text.slice(0, resultChars)}… (cut)`;
  if (data === undefined || data === null) return shown;
  if (JSON.stringify(data).length > resultChars) {
    throw new ToolError('What the tool gave back is too long to be read.');
  }
  return isIn(text, data) ? data : { text: shown, data };
}

/** Whether the data says what the text says: servers give their data as text, too. */
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

/** Names a file, which is shown with the result where it is accepted. */
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
