import type { ModelFile, ModelMessage, ModelRequest, ModelToolCall } from '../language-model.js';
import { answer, textToRepeat } from './answer.js';
import { chooseCall } from './tools/choose-call.js';
import { fillArguments, withRequired } from './tools/fill-arguments.js';
import { findCapability } from './tools/find-capability.js';
import { reportCall } from './tools/report.js';

/** One step of the built-in model: a text or a call. */
export type Response =
  | { readonly kind: 'say'; readonly text: string }
  /** `why`: the rule that led to the call, in words for the user. */
  | { readonly kind: 'call'; readonly call: Omit<ModelToolCall, 'id'>; readonly why: string };

/** Tools that find and load other tools. */
const searching: ReadonlySet<string> = new Set(['list_capabilities', 'load_capability']);

interface Made {
  readonly call: ModelToolCall;
  readonly result: ModelMessage;
}

/**
 * One step of the built-in model: a tool call or a text, which is a JSON object if the request has a schema. The same request gives
 * the same step. Pure.
 */
export function respond(request: ModelRequest): Response {
  const required = requiredCall(request);
  if (required !== undefined) return required;
  const response = freeResponse(request);
  const { responseSchema: schema } = request;
  if (schema === undefined || response.kind === 'call') return response;
  const { args } = fillArguments(schema, sinceUserSpoke(request.messages).said);
  const object = withRequired(schema, args, response.text);
  const isEmpty = Object.keys(object).length === 0 && schema['properties'] === undefined;
  return say(JSON.stringify(isEmpty ? { answer: response.text } : object));
}

/** The call that the request requires, with arguments from the message. */
function requiredCall({ toolChoice, tools = [], messages, mayCall }: ModelRequest): Response | undefined {
  if (toolChoice === undefined || mayCall === false) return undefined;
  const offered = toolChoice === 'required' ? tools : tools.filter(({ name }) => name === toolChoice.name);
  const { said } = sinceUserSpoke(messages);
  const chosen = chooseCall(said, offered);
  // Tools of the client come last.
  const tool = offered.find(({ name }) => chosen?.kind === 'call' && name === chosen.call.name) ?? offered.at(-1);
  if (tool === undefined) return undefined;
  const args = chosen?.kind === 'call' ? chosen.call.args : fillArguments(tool.schema, said).args;
  const why = `The request requires a call, so I call ${tool.name}.`;
  return { kind: 'call', call: { name: tool.name, args: withRequired(tool.schema, args, said) }, why };
}

function freeResponse(request: ModelRequest): Response {
  const { said, made } = sinceUserSpoke(request.messages);
  const last = made.at(-1);
  if (textToRepeat(said) !== undefined) return say(answer(request).text);
  const choice = chooseCall(said, callable(request));
  if (choice?.kind === 'call' && made.every(({ call }) => call.name !== choice.call.name)) {
    return { ...choice, why: `The message asks for what ${choice.call.name} does, so I call it.` };
  }
  if (last !== undefined && (choice?.kind === 'call' || !searching.has(last.call.name))) return say(reportAll(made));
  if (choice?.kind === 'missing') return say(`To use ${choice.tool} I also need: ${choice.names.join(', ')}.`);
  const own = answer(request);
  if (own.isUnderstood) return say(own.text);
  const files = request.messages.findLast(({ role }) => role === 'user')?.files ?? [];
  if (files.length > 0) return say(tellOfFiles(files));
  return search(said, request, last) ?? say(own.text);
}

/** Searches the on-demand capabilities for a sentence: first calls the list, then loads a match. */
function search(said: string, request: ModelRequest, last: Made | undefined): Response | undefined {
  const tools = callable(request);
  if (last === undefined) {
    const canList = tools.some(({ name }) => name === 'list_capabilities');
    const why = 'No rule of mine and no tool at hand answers this, so I look through what can be loaded.';
    return canList ? { kind: 'call', call: { name: 'list_capabilities', args: {} }, why } : undefined;
  }
  if (last.call.name !== 'list_capabilities') return undefined;
  const name = findCapability(said, last.result.content);
  if (name === undefined) return undefined;
  const why = `What is said of ${name} fits the message, so I load it.`;
  return { kind: 'call', call: { name: 'load_capability', args: { name } }, why };
}

const callable = ({ tools = [], mayCall = true }: ModelRequest) => (mayCall ? tools : []);

/** The user's last message, and the calls since then with their results. */
function sinceUserSpoke(messages: readonly ModelMessage[]): { said: string; made: Made[] } {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const calls = messages.slice(at + 1).flatMap(({ toolCalls }) => toolCalls ?? []);
  const made = calls.flatMap((call) => {
    const result = messages.find(({ toolCallId }) => toolCallId === call.id);
    return result === undefined ? [] : [{ call, result }];
  });
  return { said: messages[at]?.content.trim() ?? '', made };
}

/** Leaves out calls that only searched for tools, except the last call. */
function reportAll(made: readonly Made[]): string {
  const meant = made.filter(({ call }, at) => at === made.length - 1 || !searching.has(call.name));
  return meant.map(({ call, result }) => reportCall(call, result)).join('\n');
}

function say(text: string): Response {
  return { kind: 'say', text };
}

const shownChars = 200;

/** Describes files to the user: how they begin, or why they could not be read. Pure. */
function tellOfFiles(files: readonly ModelFile[]): string {
  return files.map(tellOf).join('\n');
}

function tellOf(file: ModelFile): string {
  if (file.kind === 'unread') return `I could not read ${file.filename}: ${file.reason}.`;
  if (file.kind === 'named') return `${file.filename} came with an earlier message.`;
  if (file.kind === 'image') return `${file.filename} is an image, and I cannot look at images.`;
  if (file.kind !== 'text') return `${file.filename} is a file of a kind that I cannot read.`;
  const text = file.text.trim().replace(/\s+/g, ' ');
  const shown = text.length <= shownChars ? text : `${text.slice(0, shownChars)}…`;
  if (file.isSpoken === true) return `In ${file.filename} I hear: ${shown}`;
  return `${file.filename} has ${file.text.length + file.leftChars} characters. It says: ${shown}`;
}
