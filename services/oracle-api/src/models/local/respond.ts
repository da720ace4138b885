import { parseJson } from '@mlango/service-kit/parse-json';
import type { ModelFile, ModelRequest, ModelToolCall, NewToolCall } from '../language-model.js';
import { answer, textToRepeat } from './answer.js';
import { fillArguments, withRequired } from './arguments.js';
import { chooseCall } from './choose-call.js';

/** One step of the built-in model. `reason` is for the user. */
export type Response =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly call: NewToolCall; readonly reason: string };

/** The next step: a required call, a call that the message requests, the results of the calls so far, or an answer. Pure. */
export function respond(request: ModelRequest): Response {
  const { messages, tools = [], toolChoice, mayCall = true, responseSchema } = request;
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const message = messages[start]?.content.trim() ?? '';
  const calls = messages.slice(start + 1).flatMap(({ toolCalls = [] }) => toolCalls);
  if (mayCall && toolChoice !== undefined) {
    const offered = toolChoice === 'required' ? tools : tools.filter(({ name }) => name === toolChoice.name);
    const chosen = chooseCall(message, offered);
    // Tools of the client come last.
    const tool = offered.find(({ name }) => name === chosen?.name) ?? offered.at(-1);
    if (tool !== undefined) {
      const args = withRequired(tool.schema, chosen?.args ?? fillArguments(tool.schema, message), message);
      const reason = `The request requires a call, so I call ${tool.name}.`;
      return { kind: 'call', call: { name: tool.name, args }, reason };
    }
  }
  const call = mayCall && textToRepeat(message) === undefined ? chooseCall(message, tools) : undefined;
  if (call !== undefined && calls.every(({ name }) => name !== call.name)) {
    return { kind: 'call', call, reason: `The message asks for what ${call.name} does, so I call it.` };
  }
  const resultOf = ({ id }: ModelToolCall) => messages.find(({ toolCallId }) => toolCallId === id)?.content ?? '';
  const reports = calls.map((one) => report(one, resultOf(one)));
  const text = reports.join('\n') || answer(request, messages[start]?.files?.map(describeFile));
  if (responseSchema === undefined) return { kind: 'text', text };
  const object = withRequired(responseSchema, fillArguments(responseSchema, message), text);
  const hasFields = Object.keys(object).length > 0 || responseSchema['properties'] !== undefined;
  return { kind: 'text', text: JSON.stringify(hasFields ? object : { answer: text }) };
}

const cut = (text: string, chars: number) => (text.length <= chars ? text : `${text.slice(0, chars)}…`);

/** The result of a call, for the user. */
function report({ name, args }: ModelToolCall, content: string): string {
  const output = parseJson(content) ?? content;
  const { error, forgotten } = Object(output);
  if (typeof error === 'string') return `${name} did not work: ${error}`;
  const { userName, agentName, content: memory } = args;
  if (typeof userName === 'string') return `I will call you ${userName} from now on, in every conversation.`;
  if (typeof agentName === 'string') return `From now on I am ${agentName} to you, in every conversation.`;
  if (name === 'remember' && typeof memory === 'string') return `I will remember: "${memory}"`;
  if (name === 'forget' && forgotten !== undefined) return `I have forgotten: "${forgotten}"`;
  if (name === 'recall' && Array.isArray(output)) {
    const memories = output.map((one) => `- ${Object(one).content}`);
    return memories.length === 0 ? 'I remember nothing about that.' : `I remember:\n${memories.join('\n')}`;
  }
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  return `${name} gave back ${cut(text, 2_000)}`;
}

function describeFile(file: ModelFile): string {
  if (file.kind === 'unread') return `I could not read ${file.filename}: ${file.reason}.`;
  if (file.kind !== 'text') return `${file.filename} is a file that I cannot read.`;
  const excerpt = cut(file.text.trim().replace(/\s+/g, ' '), 200);
  if (file.isTranscript === true) return `In ${file.filename} I hear: ${excerpt}`;
  return `${file.filename} has ${file.text.length + file.leftChars} characters. It says: ${excerpt}`;
}
