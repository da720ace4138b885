import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ToolError } from '../../plugin-kit/plugin-tool.js';

const resultChars = 50_000;
const errorChars = 2_000;

/**
 * What a tool gave back, as the model is shown it: its data where it gave any, else its text. Of pictures, sounds and links only
 * what they are. A text that is too long is cut, and says so.
 * @throws ToolError when the tool says that it failed, or its data is too long.
 */
export function resultForModel({ content, structuredContent, isError }: CallToolResult): unknown {
  const text = content.map(textOf).join('\n');
  if (isError === true) throw new ToolError(text === '' ? 'The tool says that it failed.' : text.slice(0, errorChars));
  if (structuredContent === undefined)
    return text.length <= resultChars ? text : `${text.slice(0, resultChars)}… (cut)`;
  if (JSON.stringify(structuredContent).length > resultChars) {
    throw new ToolError('What the tool gave back is too long to be read.');
  }
  return structuredContent;
}

function textOf(part: CallToolResult['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'resource':
      return 'text' in part.resource ? part.resource.text : `[${part.resource.mimeType ?? 'data'} that is not shown]`;
    case 'resource_link':
      return `[${part.name}: ${part.uri}]`;
    default:
      return `[${part.mimeType} that is not shown]`;
  }
}
