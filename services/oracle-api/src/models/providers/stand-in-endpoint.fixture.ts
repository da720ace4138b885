import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Handler of one request. */
export type Reply = (response: ServerResponse, request: ReceivedRequest) => Promise<void> | void;

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields
  readonly body: any;
  /** Resolves when the client has disconnected or the reply has ended. */
  readonly closed: Promise<unknown>;
}

/** A server on loopback for the chat completions protocol, with one configured reply per request; the last one repeats. */
export async function startStandIn(...replies: Reply[]) {
  const requests: ReceivedRequest[] = [];
  const open = new Map<string, number>();
  const most = new Map<string, number>();
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = {
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: JSON.parse(await text(incoming)),
      closed: once(response, 'close'),
    };
    requests.push(request);
    const { model } = request.body;
    const now = (open.get(model) ?? 0) + 1;
    open.set(model, now);
    most.set(model, Math.max(most.get(model) ?? 0, now));
    response.once('finish', () => open.set(model, (open.get(model) ?? 1) - 1));
    const reply = replies[Math.min(requests.length, replies.length) - 1];
    await reply?.(response, request);
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    /** Maximum number of concurrent requests for a model. */
    mostAtOnce: (model: string) => most.get(model) ?? 0,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const chunk = (delta: object, finish: string | null = null) =>
  JSON.stringify({ id: 'c-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] });

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

const counted = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/** Streams the deltas, one event each with a pause between, and an ending. */
export function streams(
  deltas: readonly object[],
  how: {
    paceMs?: number;
    end?: 'done' | 'cut' | 'unfinished' | 'hang';
    error?: object;
    finish?: string;
    usage?: unknown;
  } = {},
): Reply {
  const { paceMs = 0, end = 'done', error, finish = 'stop', usage = counted } = how;
  return async (response) => {
    begin(response);
    response.flushHeaders();
    for (const delta of deltas) {
      response.write(`data: ${chunk(delta)}\n\n`);
      await sleep(paceMs);
    }
    if (error !== undefined) response.write(`data: ${JSON.stringify({ error })}\n\n`);
    if (end === 'hang') return;
    if (end === 'cut') return void response.destroy();
    if (end === 'done') {
      response.write(`data: ${chunk({}, finish)}\n\n`);
      response.write(`data: ${JSON.stringify({ id: 'c-1', choices: [], usage })}\n\n`);
      response.write('data: [DONE]\n\n');
    }
    response.end();
  };
}

/** Streams a text in words. */
export const says = (content: string, how?: Parameters<typeof streams>[1]): Reply =>
  streams(
    content.split(/(?<= )/).map((word) => ({ content: word })),
    how,
  );

/** Calls tools; the arguments are split into two pieces. */
export function callsTool(...calls: { name: string; args: string }[]): Reply {
  return streams(
    calls.flatMap(({ name, args }, index) => [
      { tool_calls: [{ index, id: `c${index}`, type: 'function', function: { name, arguments: args.slice(0, 3) } }] },
      { tool_calls: [{ index, function: { arguments: args.slice(3) } }] },
    ]),
    { finish: 'tool_calls' },
  );
}

/** Refuses as providers do, with an error object that repeats secrets. */
export function refuses(status: number, how: { code?: string; headers?: Record<string, string> } = {}): Reply {
  return (response, { headers, path }) => {
    const message = `Incorrect key ${headers.authorization} for ${path}`;
    response.writeHead(status, { 'content-type': 'application/json', ...how.headers });
    response.end(JSON.stringify({ error: { message, type: 'some_error', code: how.code ?? null } }));
  };
}

/** Refuses with a provider's original body. */
export function refusesWith(status: number, body: unknown): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
}

/** Accepts the request and never replies. */
export const hangs: Reply = () => undefined;
