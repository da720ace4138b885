import autocannon from 'autocannon';
import { cpuTimeUs } from './child-process.js';

export interface Request {
  readonly method: 'GET' | 'POST';
  /** The path of one request; a function is called once per request, so that sessions can differ. */
  readonly path: string | (() => string);
  readonly headers?: Record<string, string>;
  /** Makes the body of one request; called once per request. */
  readonly body?: () => string;
}

export interface Measurement {
  /** Server CPU per request, microseconds. The figure to compare: other work on the machine hardly changes it. */
  readonly cpuUs: number;
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
  readonly failed: number;
}

const connections = 16;

/** Sends `amount` requests to one process and measures what they cost it. */
export async function measure(
  target: { url: string; pid: number },
  request: Request,
  amount: number,
): Promise<Measurement> {
  const before = cpuTimeUs(target.pid);
  const { body, path } = request;
  const setupRequest = (prepared: object) => ({
    ...prepared,
    ...(typeof path === 'string' ? {} : { path: path() }),
    ...(body === undefined ? {} : { body: body() }),
  });
  const result = await autocannon({
    url: target.url,
    connections,
    amount,
    requests: [
      {
        method: request.method,
        path: typeof path === 'string' ? path : path(),
        headers: request.headers ?? {},
        setupRequest,
      },
    ],
  });
  return {
    cpuUs: (cpuTimeUs(target.pid) - before) / amount,
    requestsPerSecond: result.requests.total / result.duration,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
  };
}

/** The round with the lowest cost: noise on a shared machine only ever adds. */
export function best(rounds: readonly Measurement[]): Measurement {
  const [first, ...rest] = rounds;
  if (first === undefined) throw new Error('nothing was measured');
  const failed = rounds.reduce((sum, round) => sum + round.failed, 0);
  return { ...rest.reduce((lowest, round) => (round.cpuUs < lowest.cpuUs ? round : lowest), first), failed };
}
