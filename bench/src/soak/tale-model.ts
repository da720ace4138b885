import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { numberIn, taleOf } from './tale.js';

/** Pause before each word: an answer takes a second or three. */
const paceMs = 30;

interface Asked {
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

export interface TaleModel {
  readonly port: number;
  stop(): void;
}

/** An endpoint of chat completions that tells the tale it is asked for, word by word, and whatever else it is asked in one word. */
export async function startTaleModel(): Promise<TaleModel> {
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = JSON.parse(await text(request)) as Asked;
  const last = asked.messages.findLast(({ role }) => role === 'user');
  const number = numberIn(wordsOf(last?.content));
  const told = number === undefined ? ['Tales'] : taleOf(number);
  const usage = { prompt_tokens: 10, completion_tokens: told.length, total_tokens: told.length + 10 };
  const common = { id: 'tale', created: 0, model: 'tales' };
  if (asked.stream !== true) {
    const message = { role: 'assistant', content: told.join('') };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...common, object: 'chat.completion', choices, usage }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const say = (delta: object, finish: string | null, more: object = {}) => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const chunk = { ...common, object: 'chat.completion.chunk', choices, ...more };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  for (const word of told) {
    if (response.destroyed) return;
    say({ role: 'assistant', content: word }, null);
    await sleep(paceMs);
  }
  say({}, 'stop', { usage });
  response.end('data: [DONE]\n\n');
}

/** What was said in a message, whose content is a text or parts of one. */
function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('');
}
