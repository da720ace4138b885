import { ToolError } from '../../plugin-kit/plugin-tool.js';
import { canonicalJson } from '../../turns/calls/canonical-json.js';
import type { CallResult, ResultPart } from './server-replies.js';

const resultChars = 50_000;
const errorChars = 2_000;

/**
 * What a tool gave back, as the model is shown it: its text, its data, or both where the text says more than the data. Of pictures, sounds and
 * links only what they are. A text that is too long is cut, and says so.
 * @throws ToolError when the tool says that it failed, or its data is too long.
 */
export function resultForModel({ content, structuredContent: data, isError }: CallResult): unknown {
  const text = (content ?? []).map(textOf).join('\n');
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

function textOf(part: ResultPart): string {
  const { type, text, name, uri, mimeType, resource } = part;
  switch (type) {
    case 'text':
      return text ?? '';
    case 'resource':
      return resource?.text ?? `[${resource?.mimeType ?? 'data'} that is not shown]`;
    case 'resource_link':
      return `[${name ?? 'link'}: ${uri ?? ''}]`;
    default:
      return `[${mimeType ?? type} that is not shown]`;
  }
}
