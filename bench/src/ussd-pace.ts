import { setTimeout as sleep } from 'node:timers/promises';
import { cpuTimeUs } from './child-process.js';
import { HttpLine } from './http-line.js';
import { Latencies } from './latencies.js';
import type { Load, Target } from './load-lines.js';
import { freshSessions, send } from './ussd-load.js';
import { countUp, menuHops, type UssdHop } from './ussd-sessions.js';

/** More than can wait at one time, unless the service is far behind. */
const phones = 200;

/**
 * Hops at a steady pace, whether the ones before are answered or not. A hop's time counts from when it should have been
 * sent, so one that waits behind a slow one is slow too.
 */
export async function loadAtPace(
  target: Target,
  options: { hopsPerSecond: number; seconds: number; codeOf?: (session: number) => string },
): Promise<Load & { maxMs: number }> {
  const total = options.hopsPerSecond * options.seconds;
  const sessions = countUp(freshSessions(total));
  const callers = Array.from({ length: phones }, () => ({
    hops: menuHops(sessions, options.codeOf),
    line: new HttpLine(target.url),
    turn: Promise.resolve(),
  }));
  const latencies = new Latencies();
  const cpuBefore = cpuTimeUs(target.pid);
  const startMs = performance.now();
  const hop = async (line: HttpLine, next: UssdHop, intendedMs: number): Promise<void> => {
    await send(line, next);
    latencies.add(performance.now() - intendedMs);
  };
  for (let index = 0; index < total; index++) {
    const intendedMs = startMs + (index * 1000) / options.hopsPerSecond;
    while (performance.now() < intendedMs) await sleep(Math.max(0, intendedMs - performance.now()));
    const caller = callers[index % phones];
    if (caller === undefined) continue;
    const next = caller.hops.next().value;
    caller.turn = caller.turn.then(() => hop(caller.line, next, intendedMs));
  }
  await Promise.all(callers.map(({ turn }) => turn));
  const seconds = (performance.now() - startMs) / 1000;
  for (const { line } of callers) line.close();
  return {
    count: latencies.count,
    perSecond: latencies.count / seconds,
    cpuUs: (cpuTimeUs(target.pid) - cpuBefore) / latencies.count,
    p50Ms: latencies.within(0.5),
    p99Ms: latencies.within(0.99),
    maxMs: latencies.within(1),
  };
}
