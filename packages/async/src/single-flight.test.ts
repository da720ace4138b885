import { describe, expect, it } from 'vitest';
import { SingleFlight } from './single-flight.js';

function pendingWork() {
  const ends: ((result: string) => void)[] = [];
  const current: (() => boolean)[] = [];
  const work = (isCurrent: () => boolean) =>
    new Promise<string>((resolve) => {
      current.push(isCurrent);
      ends.push(resolve);
    });
  return { ends, current, work };
}

describe('single flight', () => {
  it('runs the work once for concurrent callers of one key, and again afterwards', async () => {
    const flight = new SingleFlight<string, string>();
    const { ends, work } = pendingWork();
    const calls = [flight.run('a', work), flight.run('a', work), flight.run('b', work)];
    await Promise.resolve();
    expect(ends).toHaveLength(2);
    for (const end of ends) end('done');
    expect(await Promise.all(calls)).toEqual(['done', 'done', 'done']);
    expect(flight.running('a')).toBeUndefined();
    void flight.run('a', work);
    await Promise.resolve();
    expect(ends).toHaveLength(3);
  });

  it('gives all callers the failure, and the next caller a new run', async () => {
    const flight = new SingleFlight<string, string>();
    const fail = () => Promise.reject(new Error('unavailable'));
    const failed = await Promise.allSettled([flight.run('a', fail), flight.run('a', fail)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await flight.run('a', async () => 'there')).toBe('there');
  });

  it('reports to forgotten work that it is obsolete, and lets it remove no later run', async () => {
    const flight = new SingleFlight<string, string>();
    const { ends, current, work } = pendingWork();
    const first = flight.run('a', work);
    await Promise.resolve();
    flight.forget('a');
    const second = flight.run('a', work);
    await Promise.resolve();
    expect(current.map((isCurrent) => isCurrent())).toEqual([false, true]);
    ends[0]?.('old');
    expect(await first).toBe('old');
    expect(flight.running('a')).toBe(second);
    flight.forgetAll();
    expect(flight.running('a')).toBeUndefined();
  });
});
