import { builtInRegistry } from '@mlango/test-services/descriptors';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Catalog } from './catalog.js';
import { type Discovery, startDiscovery } from './discovery.js';
import { buildRouteTable } from './routes.js';

const registry = builtInRegistry();
const table = buildRouteTable(registry, { prefixes: { current: 'proto', legacy: [] } });
const [first, second]: Catalog[] = [
  { registry, table },
  { registry, table },
];

let answers: (Catalog | Error)[];
let requested: number;
let found: Catalog[];
let failures: number;
let discovery: Discovery;

beforeEach(() => {
  vi.useFakeTimers();
  [requested, found, failures] = [0, [], 0];
});
afterEach(() => {
  discovery.close();
  vi.useRealTimers();
});

function start(...input: (Catalog | Error | undefined)[]): void {
  answers = input.filter((each) => each !== undefined);
  discovery = startDiscovery({
    async discover() {
      requested += 1;
      const answer = answers.shift() ?? new Error('nothing more');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    retryMs: 100,
    refreshMs: 1000,
    onFound: (catalog) => found.push(catalog),
    onFailure: () => {
      failures += 1;
    },
  });
}

describe('keepDiscovering', () => {
  it('retries after a failure at growing intervals, at most the refresh interval', async () => {
    start(...Array.from({ length: 7 }, () => new Error('away')), first);
    await vi.advanceTimersByTimeAsync(0);
    const times: number[] = [];
    for (let before = requested; times.length < 6; before = requested) {
      let waited = 0;
      for (; requested === before; waited += 100) await vi.advanceTimersByTimeAsync(100);
      times.push(waited);
    }
    expect(times).toEqual([100, 200, 400, 800, 1000, 1000]);
    expect(discovery.current()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1000);
    expect(discovery.current()).toBe(first);
  });

  it('keeps the last good catalog while the node is unavailable, and takes the next one', async () => {
    start(first, new Error('away'), second);
    await vi.advanceTimersByTimeAsync(0);
    expect(discovery.current()).toBe(first);
    await vi.advanceTimersByTimeAsync(1000);
    expect([discovery.current(), failures]).toEqual([first, 1]);
    await vi.advanceTimersByTimeAsync(100);
    expect([discovery.current(), found]).toEqual([second, [first, second]]);
  });

  it('reports an unchanged catalog once', async () => {
    start(first, first, first);
    await vi.advanceTimersByTimeAsync(2000);
    expect([requested, found.length]).toEqual([3, 1]);
  });

  it('stops when it is closed', async () => {
    start(first, second);
    await vi.advanceTimersByTimeAsync(0);
    discovery.close();
    await vi.advanceTimersByTimeAsync(5000);
    expect(requested).toBe(1);
  });
});
