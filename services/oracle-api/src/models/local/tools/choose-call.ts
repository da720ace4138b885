import type { ModelTool, ModelToolCall } from '../../language-model.js';
import { fillArguments } from './fill-arguments.js';
import { matchName } from './name-match.js';
import { namedCall } from './named-call.js';
import { phraseCall } from './phrases.js';

/** A call that a sentence asks for, or what it leaves open. */
export type Choice =
  | { readonly kind: 'call'; readonly call: Omit<ModelToolCall, 'id'> }
  | { readonly kind: 'missing'; readonly tool: string; readonly names: readonly string[] };

/** In longer texts no names are looked for: what is said in them is hardly for a tool. */
const sentenceChars = 1_000;

/** Tools that are asked for in words of their own: their names are everyday words. */
const known = new Set([
  ...['set_user_preferences', 'remember', 'recall', 'forget'],
  ...['list_capabilities', 'load_capability', 'ask_before'],
]);

/** Which of the tools a sentence asks for, in known words or by its name. Undefined when it asks for none. Pure. */
export function chooseCall(text: string, tools: readonly ModelTool[]): Choice | undefined {
  const asked = namedCall(text, tools) ?? phraseCall(text, new Set(tools.map(({ name }) => name)));
  if (asked !== undefined) return { kind: 'call', call: asked };
  if (text.length > sentenceChars) return undefined;
  const matches = tools.flatMap((tool) => {
    const match = known.has(tool.name) && !text.includes(tool.name) ? undefined : matchName(text, tool.name);
    return match === undefined ? [] : [{ tool, ...match }];
  });
  const [best] = matches.sort((one, other) => other.score - one.score);
  if (best === undefined) return undefined;
  const { args, missing } = fillArguments(best.tool.schema, best.rest);
  if (missing.length > 0) return { kind: 'missing', tool: best.tool.name, names: missing };
  return { kind: 'call', call: { name: best.tool.name, args } };
}
