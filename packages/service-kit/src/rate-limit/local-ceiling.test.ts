import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { withLocalCeiling } from './local-ceiling.js';
import { memoryRateLimitStore } from './memory-rate-limit-store.js';
import { describeRateLimitStore } from './rate-limit-store.contract.js';
import type { RateLimitStore } from './rate-limit-store.js';

function capturedLog() {
  const lines: string[] = [];
  return { lines, logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }) };
}

let time = 0;
const clock = { now: () => time };
const pass = async (ms: number): Promise<void> => {
  time += ms;
};
const fail = () => Promise.reject(new Error('the shared store is away'));
const failing: RateLimitStore = { hit: fail, forget: fail };
const hang = () => new Promise<never>(() => {});
const silent: RateLimitStore = { hit: hang, forget: hang };

const above = withLocalCeiling(memoryRateLimitStore(clock), memoryRateLimitStore(clock), capturedLog().logger, clock);
describeRateLimitStore('a ceiling under a shared store that works', { store: () => above, pass });

const belowFailing = withLocalCeiling(failing, memoryRateLimitStore(clock), capturedLog().logger, clock);
describeRateLimitStore('a ceiling under a shared store that fails', { store: () => belowFailing, pass });

const belowSilent = withLocalCeiling(silent, memoryRateLimitStore(clock), capturedLog().logger, {
  ...clock,
  timeoutMs: 20,
});
describeRateLimitStore('a ceiling under a shared store that never answers', { store: () => belowSilent, pass });

describe('a local ceiling', () => {
  it('gives the shared count while the shared store works', async () => {
    const shared = memoryRateLimitStore(clock);
    const [one, two] = [shared, shared].map((each) =>
      withLocalCeiling(each, memoryRateLimitStore(clock), capturedLog().logger, clock),
    );
    await one?.hit('over two replicas', 60_000);
    expect((await two?.hit('over two replicas', 60_000))?.count).toBe(2);
  });

  it('grants no fresh budget when the shared store fails', async () => {
    let works = true;
    const memory = memoryRateLimitStore(clock);
    const shared: RateLimitStore = { ...memory, hit: (...args) => (works ? memory : failing).hit(...args) };
    const store = withLocalCeiling(shared, memoryRateLimitStore(clock), capturedLog().logger, clock);
    for (let hit = 0; hit < 90; hit += 1) await store.hit('caller', 60_000);
    works = false;
    expect((await store.hit('caller', 60_000)).count).toBe(91);
  });

  it('retries a failing store once per retry time, and logs its outage and its recovery once', async () => {
    let works = false;
    let requested = 0;
    const memory = memoryRateLimitStore(clock);
    const shared: RateLimitStore = {
      ...memory,
      hit: (...args) => {
        requested += 1;
        return (works ? memory : failing).hit(...args);
      },
    };
    const { logger, lines } = capturedLog();
    const store = withLocalCeiling(shared, memoryRateLimitStore(clock), logger, { ...clock, retryAfterMs: 1_000 });
    for (let hit = 0; hit < 50; hit += 1) await store.hit('a', 60_000);
    expect(requested).toBe(1);
    time += 1_000;
    await Promise.all(Array.from({ length: 50 }, () => store.hit('a', 60_000)));
    expect(requested).toBe(2);
    works = true;
    time += 1_000;
    await store.hit('a', 60_000);
    await store.hit('a', 60_000);
    expect(requested).toBe(4);
    expect(lines.map((line) => /rate limit (is unavailable|is available again)/.exec(line)?.[1])).toEqual([
      'is unavailable',
      'is available again',
    ]);
  });
});
