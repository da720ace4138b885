import { formality } from '@mlango/schemas/oracle-preferences';
import { parseJson } from '../../../parse-json.js';
import type { ModelTool, ModelToolCall } from '../../language-model.js';
import { fillArguments } from './fill-arguments.js';
import { matchName } from './name-match.js';

/** A call that a sentence requests, or its missing arguments. */
export type Choice =
  | { readonly kind: 'call'; readonly call: Omit<ModelToolCall, 'id'> }
  | { readonly kind: 'missing'; readonly tool: string; readonly names: readonly string[] };

/** Tool names are matched only in texts up to this length: longer texts rarely request a tool. */
const sentenceChars = 1_000;

/** Tools with phrases of their own, because their names are everyday words. */
const known = new Set([
  ...['set_user_preferences', 'remember', 'recall', 'forget'],
  ...['list_capabilities', 'load_capability', 'ask_before'],
]);

/** Finds the tool call that a sentence requests, by a known phrase or by the tool's name; undefined if there is none. Pure. */
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

/** "Use the tool plot with {"x": 1}": the declared name of a tool, optionally with arguments as JSON. */
const asking =
  /^(?:please )?(?:use|call|run) (?:the )?(?:(?:tool|action) )?["'`]?([^\s"'`]{1,128})["'`]?(?: with (\{[\s\S]*\}))?[.!]?$/i;

/** Finds the call that a sentence requests by the exact name of a tool; undefined if no such tool exists. Pure. */
function namedCall(text: string, tools: readonly ModelTool[]): Omit<ModelToolCall, 'id'> | undefined {
  const [, asked = '', args = '{}'] = asking.exec(text) ?? [];
  const tool = tools.find(({ name }) => name.toLowerCase() === asked.toLowerCase());
  return tool === undefined ? undefined : { name: tool.name, args: { ...(parseJson(args) as object | undefined) } };
}

type Args = Readonly<Record<string, unknown>>;

/** A phrase that requests a tool known by name. */
interface Phrase {
  readonly tool: string;
  readonly pattern: RegExp;
  /** Arguments from the captured text; undefined if the sentence means something else. */
  readonly args: (caught: string) => Args | undefined;
}

const polite = '^(?:please,? |can you |could you |would you |hey,? )*';
const end = '[.!?]*$';

const says = (tool: string, words: string, args: Phrase['args']): Phrase => ({
  tool,
  pattern: new RegExp(`${polite}${words}${end}`, 'isu'),
  args,
});

const wish = (words: string, args: Phrase['args']) => says('set_user_preferences', words, args);

const phrases: readonly Phrase[] = [
  says(
    'ask_before',
    '(?:from now on,? )?(?:always )?ask(?: me)?(?: first)? before (?:you )?(?:call |calling |use |using )?([\\w-]{1,128})',
    (name) => ({ name }),
  ),
  wish('(?:you can |you may )?(?:call|address) me (?:as )?(.{1,80}?)(?: from now on| please)?', (userName) => ({
    userName,
  })),
  wish("(?:call yourself|your name is(?: now)?|i(?:'ll| will) call you) (.{1,80}?)(?: from now on)?", (agentName) => ({
    agentName,
  })),
  wish(
    '(?:answer|reply|respond|speak|talk|write)(?: to)?(?: me)?(?: only| always)? (?:in )?(\\p{Lu}\\p{L}{2,19})',
    (language) => ({
      language,
    }),
  ),
  wish('(?:use|answer in|speak in|talk in|write in) an? (.{3,40}?) (?:tone|style|voice)', toneOf),
  wish('be (?:more |very |a bit |a little )?([\\p{L}-]{3,20})(?: with me| to me| from now on)?', manner),
  wish('(?:keep|make) (?:your )?(?:answers|replies|it) (short|brief|concise|long|detailed)', (responseLength) => ({
    responseLength,
  })),
  wish('(?:use|answer (?:in|with)) (bullet points|lists|tables|markdown|plain text)', (format) => ({ format })),
  wish('(?:from now on,? )(.{3,500}?)', (customInstructions) => ({ customInstructions })),
  says('remember', 'remember(?: that| this)?[:,]? (.{2,20000})', (content) => ({ content })),
  says('recall', 'what do you (?:remember|know)(?: about (.{1,200}?))?', query),
  says(
    'recall',
    '(?:do you remember|recall|what did i ask you to remember about) (?!.*\\bmy name\\b)(.{1,200}?)',
    query,
  ),
  says('forget', 'forget(?: about| that| what i said about)? (.{2,200}?)', (text) => ({ query: text })),
  says('list_capabilities', '(?:list|show)(?: me)?(?: all)?(?: your| the)? capabilities', () => ({})),
  says('load_capability', 'load(?: the)?(?: capability)? ([\\w-]{1,60})(?: capability)?', (name) => ({ name })),
];

/** Finds the call that a known phrase requests, among the present tools. */
function phraseCall(text: string, names: ReadonlySet<string>): { name: string; args: Args } | undefined {
  for (const { tool, pattern, args } of phrases) {
    if (!names.has(tool)) continue;
    const match = pattern.exec(text);
    const filled = match === null ? undefined : args((match[1] ?? '').trim());
    if (filled !== undefined) return { name: tool, args: filled };
  }
  return undefined;
}

function query(text: string): Args {
  return /^(?:me|us|everything)?$/i.test(text) ? {} : { query: text };
}

function toneOf(tone: string): Args {
  return manner(tone) ?? { tone };
}

/** "be quiet" is not a supported preference; "be formal" and "be brief" are. */
function manner(word: string): Args | undefined {
  const known = formality.safeParse(word.toLowerCase());
  if (known.success) return { formality: known.data };
  return /^(?:short|brief|concise|detailed)$/i.test(word) ? { responseLength: word.toLowerCase() } : undefined;
}
