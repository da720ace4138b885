import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { Pool } from 'undici';
import { type Child, cpuTimeUs } from './process.js';

export interface LoadRequest {
  readonly path: string;
  /** Posted as JSON; without it the request is a GET. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Load {
  /** CPU of the process for each request. */
  readonly cpuUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Replies by status; `0` is a connection error or timeout. */
  readonly statuses: Readonly<Record<string, number>>;
}

interface LoadOptions {
  readonly connections: number;
  /** Requests in all; without it the load runs for `seconds`. */
  readonly amount?: number;
  readonly seconds?: number;
  /** The requests of one connection, which sends the next one when the one before is answered. A list is built once and repeated. */
  readonly requestsOf: (connection: number) => Iterator<LoadRequest> | readonly LoadRequest[];
  /** Whether a body of a 2xx reply is the expected one. */
  readonly isExpected?: (body: string) => boolean;
}

const mostAttempts = 5;
const retryMs = 1000;

/** Runs a load of which every request has to succeed; one that an overloaded service refuses is repeated as a whole. */
export async function load(target: Child, options: LoadOptions): Promise<Load> {
  for (let attempt = 1; ; attempt++) {
    const measured = await sendAll(target, options);
    const failed = Object.entries(measured.statuses).filter(([status]) => !status.startsWith('2'));
    if (failed.length === 0) return measured;
    const isOverload = failed.every(([status]) => status === '503' || status === 'unexpected');
    if (!isOverload || attempt === mostAttempts)
      throw new Error(`${target.url} answered ${JSON.stringify(measured.statuses)}`);
    await sleep(retryMs);
  }
}

/** Runs a load without checks of the replies. */
export async function sendAll(target: Child, options: LoadOptions): Promise<Load> {
  const { connections, amount, seconds = 10, requestsOf, isExpected } = options;
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const count = (status: string | number) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const before = cpuTimeUs(target.pid);
  let connection = 0;
  await new Promise<void>((resolve, reject) => {
    const run = autocannon(
      {
        url: target.url,
        connections,
        ...(amount === undefined ? { duration: seconds } : { amount }),
        sampleInt: 20,
        timeout: 30,
        setupClient: (client) => {
          const requests = requestsOf(connection++);
          if (!('next' in requests)) {
            client.setRequests(requests.map((request) => asRequest({}, request)));
            return;
          }
          client.setRequests([
            {
              setupRequest: (request) => asRequest(request, requests.next().value),
              ...(isExpected && {
                onResponse: (status: number, body: string) => {
                  if (status === 200 && !isExpected(body)) count('unexpected');
                },
              }),
            },
          ]);
        },
      },
      (error) => (error ? reject(new Error('autocannon failed', { cause: error })) : resolve()),
    );
    run.on('response', (_client, status, _bytes, ms) => {
      times.push(ms);
      count(status);
    });
    run.on('reqError', () => count(0));
  });
  const cpuUs = (cpuTimeUs(target.pid) - before) / times.length;
  return { cpuUs, statuses, ...quantiles(times) };
}

function asRequest(request: autocannon.Request, next: LoadRequest): autocannon.Request {
  const { path, body, headers } = next;
  if (body === undefined) return { ...request, method: 'GET', path, headers: { ...headers } };
  return { ...request, method: 'POST', path, body, headers: { 'content-type': 'application/json', ...headers } };
}

/**
 * Sends requests at a steady pace, whether earlier ones are answered or not; a request's time counts from when it was due.
 * autocannon's own rate sends each second's requests in one burst.
 */
export async function loadAtPace(
  target: Child,
  options: { perSecond: number; seconds: number; connections: number; requestsOf: () => Iterator<LoadRequest> },
): Promise<Load> {
  const { perSecond, seconds, connections, requestsOf } = options;
  const pool = new Pool(target.url, { connections });
  const callers = Array.from({ length: connections }, () => ({
    requests: requestsOf(),
    last: Promise.resolve(),
  }));
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const send = async ({ path, body }: LoadRequest, dueMs: number) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await pool.request({ method: 'POST', path, headers, body: body ?? null });
    await reply.body.text();
    times.push(performance.now() - dueMs);
    statuses[reply.statusCode] = (statuses[reply.statusCode] ?? 0) + 1;
  };
  const before = cpuTimeUs(target.pid);
  const startMs = performance.now();
  for (let index = 0; index < perSecond * seconds; index++) {
    const dueMs = startMs + (index * 1000) / perSecond;
    while (performance.now() < dueMs) await sleep(Math.max(0, dueMs - performance.now()));
    const caller = callers[index % connections];
    if (caller === undefined) continue;
    const request = caller.requests.next().value as LoadRequest;
    caller.last = caller.last.then(() => send(request, dueMs));
  }
  await Promise.all(callers.map(({ last }) => last));
  const cpuUs = (cpuTimeUs(target.pid) - before) / times.length;
  await pool.close();
  return { cpuUs, statuses, ...quantiles(times) };
}

export function quantiles(times: readonly number[]): { p50Ms: number; p99Ms: number } {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}
