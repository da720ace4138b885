import { z } from 'zod';
import { parseJson } from '../../../parse-json.js';
import type { ModelMessage, ModelToolCall } from '../../language-model.js';

const shortChars = 200;
const shownChars = 2_000;

const failure = z.strictObject({ error: z.string() });
const remembered = z.array(z.object({ content: z.string() }));
const forgotten = z.object({ forgotten: z.string() });

/** Describes the outcome of a call: the tool's result, or its failure. Pure. */
export function reportCall(call: ModelToolCall, result: ModelMessage): string {
  const output = parseJson(result.content) ?? result.content;
  const failed = failure.safeParse(output);
  if (failed.success) return `${call.name} did not work: ${failed.data.error}`;
  switch (call.name) {
    case 'set_user_preferences':
      return wishes(call.args);
    case 'remember':
      return `I will remember: "${plain(call.args['content'])}"`;
    case 'recall':
      return recollection(output);
    case 'forget': {
      const gone = forgotten.safeParse(output);
      return gone.success ? `I have forgotten: "${gone.data.forgotten}"` : 'I have forgotten it.';
    }
    default:
      return `${call.name} gave back${shown(output)}`;
  }
}

function wishes({ userName, agentName, language, ...others }: ModelToolCall['args']): string {
  const lines = Object.entries(others).map(([name, value]) => `I have noted your wish (${name}: ${plain(value)}).`);
  if (Object.keys(others).length > 0) lines.push('The built-in model cannot change how it writes; other models will.');
  if (userName !== undefined) lines.unshift(`I will call you ${plain(userName)} from now on, in every conversation.`);
  if (agentName !== undefined) lines.unshift(`From now on I am ${plain(agentName)} to you, in every conversation.`);
  if (language !== undefined) {
    lines.push(
      `I have noted that you want answers in ${plain(language)}. The built-in model only writes English; other models will heed it.`,
    );
  }
  return lines.join(' ');
}

function recollection(output: unknown): string {
  const found = remembered.safeParse(output);
  if (!found.success) return `recall gave back${shown(output)}`;
  if (found.data.length === 0) return 'I remember nothing about that.';
  return ['I remember:', ...found.data.map(({ content }) => `- ${content}`)].join('\n');
}

/** A short result unchanged, a longer one by its fields, a very long one cut. */
function shown(output: unknown): string {
  const short = typeof output === 'string' ? output : JSON.stringify(output);
  if (short.length <= shortChars && !short.includes('\n')) return ` ${short}`;
  const text = typeof output === 'object' && output !== null ? fields(output) : short;
  return `:\n${text.length <= shownChars ? text : `${text.slice(0, shownChars)}…`}`;
}

function fields(output: object): string {
  return Object.entries(output)
    .map(([name, value]) => (Array.isArray(output) ? `- ${plain(value)}` : `${name}: ${plain(value)}`))
    .join('\n');
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
