import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  callsTool,
  hangs,
  type Reply,
  refuses,
  says,
  streams,
} from '../src/models/providers/stand-in-endpoint.fixture.js';

/** Replies of an endpoint to the first request, and to the request with tool results; the last reply repeats. */
export interface Trouble {
  readonly first: readonly Reply[];
  readonly afterwards?: readonly Reply[];
}

const remembers = callsTool({ name: 'remember', args: '{"content":"it rains"}' });
const forgets = callsTool({ name: 'remember', args: '{"content":"it' });
const answers = says('I will remember that.');
const begun = 'I will rem';

/** A reply of status 200 with a valid beginning. */
const raw =
  (text: string, how: { type?: string; end?: 'end' | 'cut' } = {}): Reply =>
  async (response) => {
    response.writeHead(200, { 'content-type': how.type ?? 'text/event-stream' });
    response.write(text);
    // Sent data must arrive before the connection breaks.
    await sleep(50);
    if (how.end === 'cut') response.destroy();
    else response.end();
  };

const breaksOff: Reply = (response) => void response.destroy();

const page =
  (status: number): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>Gateway</title><h1>Something went wrong</h1>');
  };

/** Comments keep a connection open without content. */
const onlyComments: Reply = async (response, { closed }) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  while (!isClosed) {
    response.write(': processing\n\n');
    await sleep(20);
  }
};

/** One endless line, as fast as it is read. */
const endlessLine: Reply = async (response, { closed }) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  while (!isClosed) {
    if (!response.write('x'.repeat(65_536))) await Promise.race([closed, once(response, 'drain')]);
  }
};

const delta = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const callDelta = `data: ${JSON.stringify({
  choices: [
    {
      index: 0,
      delta: {
        tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'remember', arguments: '{"con' } }],
      },
    },
  ],
})}\n\n`;
const whole = JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'I will.' } }] });

/** Faults of model endpoints, by their wording in the operations guide. `elsewhere` is the target of redirects. */
export function modelTroubles(elsewhere: string): Readonly<Record<string, Trouble>> {
  const redirects: Reply = (response) => {
    response.writeHead(307, { location: elsewhere });
    response.end();
  };
  return {
    'answers slowly, word by word': {
      first: [streams([{ content: 'One ' }, { content: 'moment.' }], { paceMs: 30 })],
    },
    'answers after a tool call': { first: [remembers], afterwards: [answers] },
    'calls two tools at once': {
      first: [callsTool({ name: 'remember', args: '{"content":"it rains"}' }, { name: 'recall', args: '{}' })],
      afterwards: [answers],
    },
    'refuses once for too many requests, then answers': {
      first: [refuses(429, { headers: { 'retry-after': '0' } }), remembers],
      afterwards: [answers],
    },
    'refuses for too many requests': { first: [refuses(429)] },
    'refuses for too many requests, for an hour': { first: [refuses(429, { headers: { 'retry-after': '3600' } })] },
    'has no quota left, with status 429': { first: [refuses(429, { code: 'insufficient_quota' })] },
    'wants to be paid': { first: [refuses(402)] },
    'does not know the key': { first: [refuses(401)] },
    'does not allow it': { first: [refuses(403)] },
    'refuses the request': { first: [refuses(400)] },
    'finds the conversation too long': { first: [refuses(400, { code: 'context_length_exceeded' })] },
    'has an error of its own': { first: [refuses(500)] },
    'has an error of its own after a tool call': { first: [remembers], afterwards: [refuses(500)] },
    'has an error in the midst of its words': {
      first: [streams([{ content: begun }], { error: { code: 'server_error', message: 'at https://secret' } })],
    },
    'sends a web page as an error': { first: [page(502)] },
    'sends a web page in place of an answer': { first: [page(200)] },
    'sends an answer that is no stream': { first: [raw(whole, { type: 'application/json' })] },
    'sends events that are none': { first: [raw('hello\nthere\n\n')] },
    'sends a line without an end': { first: [endlessLine] },
    'sends JSON that is none': { first: [raw(`${delta(begun)}data: {"choices": [}\n\n`)] },
    'sends elsewhere': { first: [redirects] },
    'breaks the connection before it says anything': { first: [breaksOff] },
    'breaks the connection in the midst of a word': {
      first: [raw(`${delta(begun)}data: {"choices":[{"del`, { end: 'cut' })],
    },
    'breaks the connection in the midst of a tool call': { first: [raw(callDelta, { end: 'cut' })] },
    'ends without an end': { first: [streams([{ content: begun }], { end: 'unfinished' })] },
    'never says anything': { first: [hangs] },
    'sends nothing but comments': { first: [onlyComments] },
    'falls silent in the midst': { first: [streams([{ content: begun }], { end: 'hang' })] },
    'sends bad arguments once': { first: [forgets], afterwards: [remembers, answers] },
    'sends bad arguments again and then says so': { first: [forgets], afterwards: [forgets, answers] },
    'sends bad arguments for ever': { first: [forgets], afterwards: [forgets] },
    'calls a tool that is not there': { first: [callsTool({ name: 'fly', args: '{}' })], afterwards: [answers] },
    'makes the same call for ever': { first: [remembers], afterwards: [remembers] },
    'answers with nothing': { first: [streams([])] },
    'answers far too long': { first: [streams(Array(30).fill({ content: 'x'.repeat(10_000) }))] },
    'stops at its longest answer': { first: [streams([{ content: begun }], { finish: 'length' })] },
    'ends with an error': { first: [streams([{ content: begun }], { finish: 'error' })] },
    'ends for lack of resources': {
      first: [streams([{ content: begun }], { finish: 'insufficient_system_resource' })],
    },
    'ends for an unknown reason': { first: [streams([{ content: begun }], { finish: 'surprise' })] },
    'sends pings and chunks without choices': {
      first: [
        raw(
          `event: ping\ndata: {}\n\n${delta(begun)}data: {"choices":null}\n\ndata: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: {"choices":null}\n\n`,
        ),
      ],
    },
    'reports impossible token counts': {
      first: [streams([{ content: begun }], { usage: { prompt_tokens: -500_000, completion_tokens: '7' } })],
    },
    'may not say it': { first: [streams([], { finish: 'content_filter' })] },
    'may not go on in the midst': { first: [streams([{ content: begun }], { finish: 'content_filter' })] },
  };
}
