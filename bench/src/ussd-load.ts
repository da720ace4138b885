import { cpuTimeUs } from './child-process.js';
import { HttpLine } from './http-line.js';
import { Latencies } from './latencies.js';
import { countUp, menuHops, type UssdHop } from './ussd-sessions.js';

export interface UssdTarget {
  readonly url: string;
  readonly pid: number;
}

export interface UssdMeasurement {
  readonly hops: number;
  readonly hopsPerSecond: number;
  /** CPU of the service's process per hop. */
  readonly cpuUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const path = '/api/ussd';
let nextSession = 1;

/** Ever new sessions: no two measurements of a run share one. */
export function freshSessions(count: number): number {
  const first = nextSession;
  nextSession += count;
  return first;
}

export async function send(line: HttpLine, hop: UssdHop): Promise<string> {
  const { status, body } = await line.post(hop.body);
  if (status !== 200 || !/^(?:CON|END) (?!Service|Too many|Invalid input)/.test(body)) {
    throw new Error(`"${hop.text}" was answered with ${status}: ${body}`);
  }
  return body;
}

/** As many hops as there are, from so many phones at one time: each waits for its reply, then sends the next. */
export async function loadWith(target: UssdTarget, hops: Iterator<UssdHop>[]): Promise<UssdMeasurement> {
  const lines = hops.map((each) => ({ hops: each, line: new HttpLine(target.url, path) }));
  const latencies = new Latencies();
  const cpuBefore = cpuTimeUs(target.pid);
  const startMs = performance.now();
  await Promise.all(
    lines.map(async ({ hops: own, line }) => {
      for (let next = own.next(); next.done !== true; next = own.next()) {
        const sentMs = performance.now();
        await send(line, next.value);
        latencies.add(performance.now() - sentMs);
      }
    }),
  );
  const seconds = (performance.now() - startMs) / 1000;
  for (const { line } of lines) line.close();
  const { count } = latencies;
  return {
    hops: count,
    hopsPerSecond: count / seconds,
    cpuUs: (cpuTimeUs(target.pid) - cpuBefore) / count,
    p50Ms: latencies.within(0.5),
    p99Ms: latencies.within(0.99),
  };
}

/** Menu sessions of so many phones at one time, until so many hops are done. */
export function loadMenus(target: UssdTarget, options: { phones: number; hops: number }): Promise<UssdMeasurement> {
  const sessions = countUp(freshSessions(options.hops));
  let left = options.hops;
  function* own(): Generator<UssdHop, undefined> {
    for (const hop of menuHops(sessions)) {
      if (left-- <= 0) return;
      yield hop;
    }
  }
  return loadWith(target, Array.from({ length: options.phones }, own));
}
