import { cpuTimeUs } from './child-process.js';
import { HttpLine } from './http-line.js';
import { Latencies } from './latencies.js';

/** A process under load. */
export interface Target {
  readonly url: string;
  readonly pid: number;
}

export interface Load {
  readonly count: number;
  readonly perSecond: number;
  /** CPU of the process for each request. */
  readonly cpuUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** As many requests as there are, by so many callers at one time: each waits for its reply, then asks again. */
export async function loadLines<Work>(
  target: Target,
  callers: readonly Iterator<Work>[],
  ask: (line: HttpLine, work: Work) => Promise<unknown>,
): Promise<Load> {
  const lines = callers.map((works) => ({ works, line: new HttpLine(target.url) }));
  const latencies = new Latencies();
  const cpuBefore = cpuTimeUs(target.pid);
  const startMs = performance.now();
  await Promise.all(
    lines.map(async ({ works, line }) => {
      for (let next = works.next(); next.done !== true; next = works.next()) {
        const sentMs = performance.now();
        await ask(line, next.value);
        latencies.add(performance.now() - sentMs);
      }
    }),
  );
  const seconds = (performance.now() - startMs) / 1000;
  for (const { line } of lines) line.close();
  const { count } = latencies;
  return {
    count,
    perSecond: count / seconds,
    cpuUs: (cpuTimeUs(target.pid) - cpuBefore) / count,
    p50Ms: latencies.within(0.5),
    p99Ms: latencies.within(0.99),
  };
}
