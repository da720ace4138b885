import { parseJson } from '@mlango/service-kit/parse-json';
import type { ModelTool, NewToolCall } from '../language-model.js';
import { fillArguments, hasRequired } from './arguments.js';

/** Longer messages are not matched with the words of tool names. */
const sentenceChars = 1_000;

/** The call that a message requests: by "Use the tool NAME with {…}", by a phrase, or by the words of a tool's name. Pure. */
export function chooseCall(message: string, tools: readonly ModelTool[]): NewToolCall | undefined {
  return namedCall(message, tools) ?? phraseCall(message, tools) ?? callInWords(message, tools);
}

const request =
  /^(?:please )?(?:use|call|run) (?:the )?(?:(?:tool|action) )?["'`]?([^\s"'`]{1,128})["'`]?(?: with (\{.*\}))?[.!]?$/is;

function namedCall(message: string, tools: readonly ModelTool[]): NewToolCall | undefined {
  const [, requested = '', args = '{}'] = request.exec(message) ?? [];
  const tool = tools.find(({ name }) => name.toLowerCase() === requested.toLowerCase());
  return tool === undefined ? undefined : { name: tool.name, args: { ...Object(parseJson(args)) } };
}

/** Phrases for tools with everyday words as names. The captured text is the argument. */
const phrases: readonly (readonly [tool: string, argument: string, pattern: RegExp])[] = [
  ['set_user_preferences', 'userName', /^(?:please )?call me (.{1,80}?)(?: from now on)?[.!]*$/is],
  ['set_user_preferences', 'agentName', /^(?:please )?call yourself (.{1,80}?)[.!]*$/is],
  ['ask_before', 'name', /\bask (?:me )?before (?:you )?(?:use |using )?([\w-]{1,128})[.!]*$/i],
  ['remember', 'content', /^(?:please )?remember(?: that)?[:,]? (.{2,20000}?)[.!?]*$/is],
  ['recall', 'query', /^what do you (?:remember|know)(?: about (?:me|(.{1,200}?)))?[.!?]*$/is],
  ['forget', 'query', /^(?:please )?forget(?: about| that)? (.{2,200}?)[.!?]*$/is],
];

function phraseCall(message: string, tools: readonly ModelTool[]): NewToolCall | undefined {
  for (const [tool, argument, pattern] of phrases) {
    const match = tools.some(({ name }) => name === tool) ? pattern.exec(message) : null;
    if (match !== null) return { name: tool, args: match[1] === undefined ? {} : { [argument]: match[1] } };
  }
  return undefined;
}

/** Verbs that a message may have in place of the first word of a tool's name, and words before the name. */
const verbs = 'get|fetch|show|find|lookup|look up|list|read|query|check';
const before = `(?:(?:please|can you|could you|what is|what are|is|are|the|an?|my|me|${verbs})\\s+)*`;

/** "Set the theme to dark" for `set_theme`; the rest of the message fills the arguments. The longest name wins. */
function callInWords(message: string, tools: readonly ModelTool[]): NewToolCall | undefined {
  if (message.length > sentenceChars) return undefined;
  const matches = tools.flatMap((tool) => {
    if (phrases.some(([name]) => name === tool.name)) return [];
    const words = tool.name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').match(/[\p{L}\p{N}]+/gu) ?? [];
    const [first = '', ...others] = words;
    const name = others.length > 0 && verbs.split('|').includes(first.toLowerCase()) ? others : words;
    const match = new RegExp(`^${before}${name.join('\\s+(?:the\\s+)?')}(?![\\p{L}\\p{N}])(.*)$`, 'isu').exec(message);
    const args = match === null ? undefined : fillArguments(tool.schema, match[1] ?? '');
    return args !== undefined && hasRequired(tool.schema, args) ? [{ name: tool.name, args, words: name.length }] : [];
  });
  const [best] = matches.sort((one, other) => other.words - one.words);
  return best && { name: best.name, args: best.args };
}
