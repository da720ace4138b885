import { jsonSchemaObject } from '@mlango/schemas/json-schema';
import { requestIdPattern } from '@mlango/schemas/oracle';
import { type SendMessageBody, sendLimits } from '@mlango/schemas/oracle-send';
import { z } from 'zod';
import { sessionName } from '../../store/session-names.js';
import { refusedField } from '../http/refused-field.js';
import { listOrNone } from '../null-is-absent.js';
import { storableWords } from '../storable-words.js';

const part = z.looseObject({ type: z.string(), text: z.string().nullish() });
const message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(part).max(1_000)]).nullish(),
  toolCallId: z.string().nullish(),
  error: z.string().nullish(),
});

const tool = z.looseObject({
  name: z.string().min(1).max(sendLimits.toolNameChars),
  description: z.string().nullish(),
  parameters: jsonSchemaObject.nullish(),
});

const resumed = z.looseObject({
  interruptId: z.string().max(500),
  status: z.enum(['resolved', 'cancelled']),
  payload: z.unknown().optional(),
});

/** What `HttpAgent` sends. Of the messages what is new counts: the session has the rest. */
export const runInput = z
  .looseObject({
    threadId: sessionName.describe('names the session, which is created where there is none'),
    runId: z.string().regex(requestIdPattern).describe('becomes the id of the answer'),
    messages: z.array(message).max(1_000),
    tools: listOrNone(z.array(tool).max(64)),
    context: listOrNone(z.array(z.looseObject({ description: z.string(), value: z.string() })).max(100)),
    state: z.unknown().optional(),
    protocolVersion: z.string().max(20).nullish().describe('of clients from 1.0 on'),
    resume: z.array(resumed).max(100).nullish(),
  })
  .describe('`RunAgentInput`');

export type RunInput = z.output<typeof runInput>;

/** What is new: words of the user, results of calls that the page was to make by the ids of the calls, or both. */
export interface Newest {
  readonly words: string | undefined;
  readonly results: ReadonlyMap<string, string>;
}

/** Results stand anywhere after the last answer: some pages send them with the next message of the user. */
export function newestOf({ messages }: RunInput): Newest {
  const fresh = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const told = fresh.filter(({ role }) => role === 'tool');
  const results = new Map(told.map((one) => [one.toolCallId ?? '', one.error ?? textOf(one)]));
  const last = messages.findLast(({ role }) => role === 'user' || role === 'tool' || role === 'assistant');
  if (last?.role === 'tool') return { words: undefined, results };
  const words = last?.role === 'user' ? textOf(last) : '';
  if (words !== '' && words.length <= sendLimits.messageChars) return { words, results };
  const rule = `the last one must be the user's, with 1 to ${sendLimits.messageChars} characters of text, or say what came of a call`;
  throw refusedField('body', 'messages', rule);
}

/** What the page asks of the answer: its system messages, and what it says of what the user sees. */
export function appWordsOf({ messages, context }: RunInput): string | undefined {
  const asked = messages.filter(({ role }) => role === 'system' || role === 'developer').map(textOf);
  const seen = context.map(({ description, value }) => `${description}: ${value}`);
  const words = [...asked, ...seen].filter((text) => text !== '');
  return words.length === 0 ? undefined : words.join('\n\n');
}

/** The page's tools as a turn is told of them. */
export function toolsOf({ tools }: RunInput): SendMessageBody['tools'] {
  if (tools.length === 0) return undefined;
  return tools.map(({ name, description, parameters }) => ({
    name,
    description: description ?? '',
    schema: parameters ?? {},
  }));
}

function textOf({ content }: z.output<typeof message>): string {
  const text = Array.isArray(content) ? content.map((one) => one.text ?? '').join('\n') : (content ?? '');
  return storableWords(text);
}
