import { parseJson } from '../../../parse-json.js';
import type { ModelTool, ModelToolCall } from '../../language-model.js';

/** "Use the tool plot with {"x": 1}": a name as it was declared, and perhaps arguments as JSON. */
const asking =
  /^(?:please )?(?:use|call|run) (?:the )?(?:(?:tool|action) )?["'`]?([^\s"'`]{1,128})["'`]?(?: with (\{[\s\S]*\}))?[.!]?$/i;

/** The call that a sentence asks for by the name of a tool, to the letter; undefined when it asks for none that is there. Pure. */
export function namedCall(text: string, tools: readonly ModelTool[]): Omit<ModelToolCall, 'id'> | undefined {
  const [, asked = '', args = '{}'] = asking.exec(text) ?? [];
  const tool = tools.find(({ name }) => name.toLowerCase() === asked.toLowerCase());
  return tool === undefined ? undefined : { name: tool.name, args: { ...(parseJson(args) as object | undefined) } };
}
