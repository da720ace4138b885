import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runEvents } from '@mlango/schemas/oracle-events';
import { endPrograms } from '@mlango/test-services/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Reply, says, startStandIn } from '../src/models/providers/stand-in-endpoint.fixture.js';
import { modelTroubles } from './model-trouble.fixture.js';
import { framesOf, isRefusedWork, type PublishedClient, publishedClient, textOf } from './published-client.fixture.js';
import { runScript, type ServiceProcess, startService } from './service-process.fixture.js';
import { storedRows } from './stored-rows.fixture.js';

const apiKey = 'sk-secret-0123456789';
const guide = new URL('../../../docs/operations/model-endpoints.md', import.meta.url);

interface Documented {
  readonly requests: string;
  readonly failure: string;
  readonly json: string;
  readonly stored: string;
}

/** Documented outcomes by fault. */
const documented = new Map(
  readFileSync(guide, 'utf8')
    .split('\n')
    .filter((line) => /^\| … /.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .map(([what = '', requests = '', failure = '', json = '', stored = '']): [string, Documented] => [
      what.replace('… ', ''),
      { requests, failure, json, stored },
    ]),
);

let dataDir: string;
let service: ServiceProcess;
let endpoint: Awaited<ReturnType<typeof startStandIn>>;
let client: PublishedClient;
let troubles: ReturnType<typeof modelTroubles>;
const other = { url: '', requests: 0 };
const otherServer = createServer((_, response) => {
  other.requests += 1;
  response.end('{}');
});
/** All output that is visible outside the service. */
const seen: string[] = [];
const requestsOf = new Map<string, number>();

/** Replies with the fault that the user's last message names. */
const reply: Reply = (response, request) => {
  const { messages } = request.body as { messages: { role: string; content: string }[] };
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const [, what = '', mode] = /^Remember that it rains\. \[(.+) · (\w+)\]$/.exec(question) ?? [];
  const { first, afterwards = [] } = troubles[what] ?? { first: [says('All is well.')] };
  const replies = messages.at(-1)?.role === 'tool' ? afterwards : first;
  const key = `${what} · ${mode}`;
  const step = `${key} · ${replies === first}`;
  const count = (requestsOf.get(step) ?? 0) + 1;
  requestsOf.set(step, count);
  requestsOf.set(key, (requestsOf.get(key) ?? 0) + 1);
  return replies[Math.min(count, replies.length) - 1]?.(response, request);
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'oracle-trouble-'));
  otherServer.listen(0, '127.0.0.1');
  endpoint = await startStandIn(reply);
  other.url = `http://127.0.0.1:${(otherServer.address() as AddressInfo).port}`;
  troubles = modelTroubles(other.url);
  const env = { DATA_DIR: dataDir, NODE_ENV: 'test', LOG_LEVEL: 'trace' };
  service = await startService({
    ...env,
    LLM_BASE_URL: endpoint.baseUrl,
    LLM_API_KEY: apiKey,
    LLM_MODEL: 'big',
    // Longer than the waits before two retries.
    LLM_TIMEOUT_MS: '5000',
    LLM_CALLS_PER_USER: '1000',
    RATE_LIMIT_MAX: '100000',
  });
  const { stdout } = await runScript('dev-token', env);
  client = publishedClient(service.base, { invocation: stdout.trim() }, isRefusedWork);
}, 180_000);
afterAll(async () => {
  await endPrograms();
  await endpoint.close();
  otherServer.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Response> {
  const answer = await client.reply(method, path, body);
  seen.push(await answer.clone().text(), JSON.stringify([...answer.headers]));
  return answer;
}

const get = async (path: string) => (await call('GET', path)).text();
const post = (sessionId: string, body: object) => call('POST', `/messages/${sessionId}`, body);

/** Stored state of a turn, in the wording of the guide. */
async function storedIn(sessionId: string, full: string): Promise<string> {
  const { messages } = JSON.parse(await get(`/messages/${sessionId}`)) as {
    messages: { type: string; content: string; toolCalls?: unknown[] }[];
  };
  const answer = messages.slice(1).find(({ type }) => type === 'ai');
  const calls = answer?.toolCalls === undefined ? [] : ['calls'];
  const words =
    answer === undefined || answer.content === '' ? [] : [answer.content === full ? 'words' : 'OTHER WORDS'];
  return [...calls, ...words].join(', ') || 'nothing';
}

/** A streamed turn with a valid stream, however it ends. */
async function streamedTurn(what: string) {
  const sessionId = await client.newSession();
  const message = `Remember that it rains. [${what} · stream]`;
  const frames = await framesOf(await post(sessionId, { message, stream: true }));
  const names = frames.map(({ event }) => event);
  expect([names[0], names.at(-1), names.filter((name) => name === 'done').length]).toEqual(['run', 'done', 1]);
  const error = frames.find(({ event }) => event === 'error')?.data;
  const status = error === undefined ? 'finished' : 'failed';
  const text = textOf(frames);
  const done = frames.at(-1)?.data;
  expect(done?.['status']).toBe(status);
  expect(done?.['partialText']).toBe(status === 'finished' || text === '' ? undefined : text);
  expect(JSON.parse(await get(`/sessions/${sessionId}/run`))).toMatchObject({ run: { status } });
  const open = new Set<unknown>();
  for (const { event, data } of frames) {
    if (event !== 'tool_call') continue;
    if (data['status'] === 'isRunning') open.add(data['eventId']);
    else open.delete(data['eventId']);
  }
  expect(open.size, 'calls that were left open').toBe(0);
  return { sessionId, error, text };
}

/** A turn without a stream. */
async function repliedTurn(what: string) {
  const sessionId = await client.newSession();
  const answer = await post(sessionId, { message: `Remember that it rains. [${what} · json]` });
  const { status } = answer;
  if (!answer.ok) expect(await answer.json()).toMatchObject({ statusCode: status, message: expect.any(String) });
  return { sessionId, status, hasRetryAfter: answer.headers.has('retry-after') };
}

/** The error of a stream, in the wording of the guide. */
function failureIn(error: Record<string, unknown> | undefined): string {
  if (error === undefined) return 'none';
  const { kind, status, retryable, source } = runEvents.error.parse(error);
  expect(source).toBe('model');
  return [kind, status, retryable === true ? 'retryable' : 'final'].filter((word) => word !== undefined).join(' ');
}

describe('an endpoint that', { timeout: 120_000 }, () => {
  it.concurrent.each(Object.keys(modelTroubles('')))('%s', async (what) => {
    const [streamed, replied] = await Promise.all([streamedTurn(what), repliedTurn(what)]);
    const outcome = {
      requests: String(requestsOf.get(`${what} · stream`)),
      failure: failureIn(streamed.error),
      json: String(replied.status),
      stored: await storedIn(streamed.sessionId, streamed.text),
    };
    expect(outcome).toEqual(documented.get(what));
    expect(replied.hasRetryAfter).toBe(replied.status === 503 && outcome.failure.endsWith('retryable'));
    expect(requestsOf.get(`${what} · json`)).toBe(requestsOf.get(`${what} · stream`));
    expect(await storedIn(replied.sessionId, streamed.text)).toBe(outcome.stored);
    // The session continues after every fault.
    const next = await post(streamed.sessionId, { message: 'And now?' });
    expect(await next.json()).toMatchObject({ message: { content: 'All is well.' } });
  });
});

describe('the guide', () => {
  it('lists exactly these faults', () => {
    expect([...documented.keys()].sort()).toEqual(Object.keys(troubles).sort());
  });
});

describe('after all faults', { timeout: 60_000 }, () => {
  it('an unreachable endpoint is reported in the same way', async () => {
    await endpoint.close();
    const [streaming, replying] = await Promise.all([client.newSession(), client.newSession()]);
    const [frames, { status }] = await Promise.all([
      post(streaming, { message: 'Hi', stream: true }).then(framesOf),
      post(replying, { message: 'Hi' }),
    ]);
    expect(frames.at(-2)?.data).toMatchObject({ kind: 'network', retryable: true });
    expect(status).toBe(503);
  });

  it('no redirect was followed', () => {
    expect(other.requests).toBe(0);
  });

  it('neither key nor address is in a reply, a frame, the log, or the database', async () => {
    expect(await get('/metrics')).toContain('oracle_model_tokens_total{model="big",direction="out"');
    for (const path of ['/models', '/docs/json', '/health/ready', '/memories']) await get(path);
    expect(await service.end('SIGTERM')).toBe(0);
    const { host } = new URL(endpoint.baseUrl);
    const rows = await storedRows(dataDir);
    expect(rows).toContain('I will remember that.');
    for (const [where, text] of [
      ['replies', seen.join('\n')],
      ['log', service.output()],
      ['database', rows],
    ] as const) {
      for (const secret of [apiKey, host, new URL(other.url).host, 'chat/completions', 'https://secret']) {
        expect(text.includes(secret), `${secret} in the ${where}`).toBe(false);
      }
    }
    expect(service.output()).toContain('the provider answered 402');
  });
});
