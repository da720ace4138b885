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

/** One endless line, at the speed of its reader. */
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

/** Faults of model endpoints, by their wording in the operations guide. `otherUrl` is the target of redirects. */
export function modelTroubles(otherUrl: string): Readonly<Record<string, Trouble>> {
  const redirects: Reply = (response) => {
    response.writeHead(307, { location: otherUrl });
    response.end();
  };
  return {
    'streams word by word': {
      first: [streams([{ content: 'One ' }, { content: 'moment.' }], { paceMs: 30 })],
    },
    'answers after a tool call': { first: [remembers], afterwards: [answers] },
    'calls two tools at once': {
      first: [callsTool({ name: 'remember', args: '{"content":"it rains"}' }, { name: 'recall', args: '{}' })],
      afterwards: [answers],
    },
    'answers 429 once, then an answer': {
      first: [refuses(429, { headers: { 'retry-after': '0' } }), remembers],
      afterwards: [answers],
    },
    'answers 429': { first: [refuses(429)] },
    'answers 429 with a `Retry-After` of an hour': { first: [refuses(429, { headers: { 'retry-after': '3600' } })] },
    'answers 429 with a code of no quota': { first: [refuses(429, { code: 'insufficient_quota' })] },
    'answers 402': { first: [refuses(402)] },
    'answers 401': { first: [refuses(401)] },
    'answers 403': { first: [refuses(403)] },
    'answers 400': { first: [refuses(400)] },
    'answers 400, conversation too long': { first: [refuses(400, { code: 'context_length_exceeded' })] },
    'answers 500': { first: [refuses(500)] },
    'answers 500 after a tool call': { first: [remembers], afterwards: [refuses(500)] },
    'sends an error event within the text': {
      first: [streams([{ content: begun }], { error: { code: 'server_error', message: 'at https://secret' } })],
    },
    'answers 502 with a web page': { first: [page(502)] },
    'answers 200 with a web page': { first: [page(200)] },
    'answers without a stream': { first: [raw(whole, { type: 'application/json' })] },
    'sends malformed events': { first: [raw('hello\nthere\n\n')] },
    'sends an endless line': { first: [endlessLine] },
    'sends malformed JSON': { first: [raw(`${delta(begun)}data: {"choices": [}\n\n`)] },
    redirects: { first: [redirects] },
    'breaks the connection before the first token': { first: [breaksOff] },
    'breaks the connection within the text': {
      first: [raw(`${delta(begun)}data: {"choices":[{"del`, { end: 'cut' })],
    },
    'breaks the connection within a tool call': { first: [raw(callDelta, { end: 'cut' })] },
    'ends without a finish reason': { first: [streams([{ content: begun }], { end: 'unfinished' })] },
    'sends nothing': { first: [hangs] },
    'sends comments only': { first: [onlyComments] },
    'stops sending within the text': { first: [streams([{ content: begun }], { end: 'hang' })] },
    'sends bad arguments once': { first: [forgets], afterwards: [remembers, answers] },
    'sends bad arguments twice, then an answer': { first: [forgets], afterwards: [forgets, answers] },
    'always sends bad arguments': { first: [forgets], afterwards: [forgets] },
    'calls an unknown tool': { first: [callsTool({ name: 'fly', args: '{}' })], afterwards: [answers] },
    'always makes the same call': { first: [remembers], afterwards: [remembers] },
    'sends an empty answer': { first: [streams([])] },
    'sends a too long answer': { first: [streams(Array(30).fill({ content: 'x'.repeat(10_000) }))] },
    'stops at the length limit': { first: [streams([{ content: begun }], { finish: 'length' })] },
    'ends with an error': { first: [streams([{ content: begun }], { finish: 'error' })] },
    'ends with `insufficient_system_resource`': {
      first: [streams([{ content: begun }], { finish: 'insufficient_system_resource' })],
    },
    'ends with an unknown finish reason': { first: [streams([{ content: begun }], { finish: 'surprise' })] },
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
    'filters the whole answer': { first: [streams([], { finish: 'content_filter' })] },
    'filters the rest of an answer': { first: [streams([{ content: begun }], { finish: 'content_filter' })] },
  };
}
