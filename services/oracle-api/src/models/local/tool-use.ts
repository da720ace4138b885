import type { ModelRequest, ModelToolCall } from '../language-model.js';

/** "Use the tool plot with {"x": 1}": a name as it was declared, and perhaps arguments as JSON. */
const asking =
  /^(?:please )?(?:use|call|run) (?:the )?(?:(?:tool|action) )?["'`]?([^\s"'`]{1,128})["'`]?(?: with (\{[\s\S]*\}))?[.!]?$/i;

/** Longest result that is read out; a longer one is cut. */
const readOutChars = 2_000;

/** The call that the last message asks for by the name of a tool; undefined when it asks for none that is there. */
export function askedCall({ messages, tools = [] }: ModelRequest): Omit<ModelToolCall, 'id'> | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'user') return undefined;
  const [, asked = '', args = '{}'] = asking.exec(last.content.trim()) ?? [];
  const tool = tools.find(({ name }) => name.toLowerCase() === asked.toLowerCase());
  return tool === undefined ? undefined : { name: tool.name, args: parseArgs(args) };
}

/** What came of the calls, in words; undefined when none was made. */
export function toldResults({ messages }: ModelRequest): string | undefined {
  const asked = messages.findLastIndex(({ role }) => role === 'assistant');
  const calls = messages[asked]?.toolCalls ?? [];
  const results = messages.slice(asked + 1).filter(({ role }) => role === 'tool');
  if (results.length === 0) return undefined;
  return results
    .map(({ toolCallId, content }) => {
      const name = calls.find(({ id }) => id === toolCallId)?.name ?? 'tool';
      const text = content.length <= readOutChars ? content : `${content.slice(0, readOutChars)}…`;
      return `${name} gave back ${text}`;
    })
    .join('\n');
}

function parseArgs(text: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(text) as object) };
  } catch {
    return {};
  }
}
