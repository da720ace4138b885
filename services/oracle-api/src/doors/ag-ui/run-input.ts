import { jsonSchemaObject } from '@mlango/schemas/json-schema';
import { requestIdPattern } from '@mlango/schemas/oracle';
import { type SendMessageBody, sendLimits } from '@mlango/schemas/oracle-send';
import { sessionIdPattern } from '@mlango/schemas/oracle-sessions';
import { z } from 'zod';
import { refusedField } from '../http/refused-field.js';
import { storableWords } from '../storable-words.js';

const part = z.looseObject({ type: z.string(), text: z.string().optional() });
const message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(part).max(1_000)]).optional(),
  toolCallId: z.string().optional(),
  error: z.string().optional(),
});

const tool = z.looseObject({
  name: z.string().min(1).max(sendLimits.toolNameChars),
  description: z.string().default(''),
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
    threadId: z.string().regex(sessionIdPattern).describe('of the session, which is created where there is none'),
    runId: z.string().regex(requestIdPattern).describe('becomes the id of the answer'),
    messages: z.array(message).max(1_000),
    tools: z.array(tool).max(64).default([]),
    context: z
      .array(z.looseObject({ description: z.string(), value: z.string() }))
      .max(100)
      .default([]),
    state: z.unknown().optional(),
    resume: z.array(resumed).max(100).optional(),
  })
  .describe('`RunAgentInput`');

export type RunInput = z.output<typeof runInput>;

/** What is new: words of the user, or what came of the calls that the page was to make, by their ids. */
export function newestOf({
  messages,
}: RunInput): { readonly words: string } | { readonly results: ReadonlyMap<string, string> } {
  const last = messages.at(-1);
  if (last?.role === 'tool') {
    const results = messages.slice(messages.findLastIndex(({ role }) => role !== 'tool') + 1);
    return { results: new Map(results.map((one) => [one.toolCallId ?? '', one.error ?? textOf(one)])) };
  }
  const words = last?.role === 'user' ? textOf(last) : '';
  if (words !== '' && words.length <= sendLimits.messageChars) return { words };
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
  return tools.map(({ name, description, parameters }) => ({ name, description, schema: parameters ?? {} }));
}

function textOf({ content = '' }: z.output<typeof message>): string {
  const text = typeof content === 'string' ? content : content.map(({ text: words = '' }) => words).join('\n');
  return storableWords(text);
}
