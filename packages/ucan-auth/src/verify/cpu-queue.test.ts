import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Refused } from '../decode/refusal.js';
import { CpuQueue, type CpuQueueOptions } from './cpu-queue.js';

function queueOf(options: Partial<CpuQueueOptions>): CpuQueue {
  return new CpuQueue({ sliceMs: 1000, sliceTasks: 1000, waitingLimit: 1000, ...options });
}

function burn(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('CpuQueue', () => {
  it('yields to the event loop after the CPU time of a slice', async () => {
    const lane = queueOf({ sliceMs: 1 });
    const order: string[] = [];
    const piece = (name: string) =>
      lane.run(async () => {
        burn(2);
        order.push(name);
      });
    const pieces = ['a', 'b', 'c'].map(piece);
    const other = nextTurn().then(() => order.push('other'));
    await Promise.all([...pieces, other]);
    expect(order.indexOf('other')).toBeLessThan(3);
    expect(order.filter((name) => name !== 'other')).toEqual(['a', 'b', 'c']);
  });

  it('yields to the event loop after the tasks of a slice', async () => {
    const lane = queueOf({ sliceTasks: 2 });
    const order: string[] = [];
    const pieces = ['a', 'b', 'c'].map((name) => lane.run(async () => void order.push(name)));
    const other = nextTurn().then(() => order.push('other'));
    await Promise.all([...pieces, other]);
    expect(order).toEqual(['a', 'b', 'other', 'c']);
  });

  it('rejects the heaviest waiting task beyond the limit, the newest of equals, and no started one', async () => {
    const lane = queueOf({ waitingLimit: 3 });
    const order: string[] = [];
    let goOn = () => {};
    const pause = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const begun = lane.run(async () => {
      await lane.releaseWhile(() => pause);
      order.push('begun');
    }, 99);
    const piece = (name: string, weight: number) =>
      lane
        .run(async () => {
          goOn();
          await nextTurn();
          order.push(name);
        }, weight)
        .catch((error: unknown) => order.push(`${name}: ${error instanceof Refused ? error.code : 'failed'}`));
    const crowd = [piece('first', 5), piece('heavy', 9), piece('light', 1), piece('equal', 5), piece('last', 5)];
    await Promise.all([begun, ...crowd]);
    expect(order.slice(0, 2)).toEqual(['heavy: unavailable', 'last: unavailable']);
    expect(order.slice(2).toSorted()).toEqual(['begun', 'equal', 'first', 'light']);
  });

  it('runs one task at a time, except those that released the queue', async () => {
    const lane = queueOf({});
    let inside = 0;
    let most = 0;
    let waiting = 0;
    const piece = () =>
      lane.run(async () => {
        inside += 1;
        most = Math.max(most, inside);
        await Promise.resolve();
        inside -= 1;
        waiting += 1;
        const seen = await lane.releaseWhile(async () => {
          await nextTurn();
          return waiting;
        });
        expect(seen).toBe(5);
      });
    await Promise.all(Array.from({ length: 5 }, piece));
    expect(most).toBe(1);
  });

  it('starts the lightest and the oldest task alternately', async () => {
    const lane = queueOf({});
    const order: string[] = [];
    const piece = (name: string, weight: number) => lane.run(async () => void order.push(name), weight);
    const first = piece('first', 9);
    const heavy = [1, 2, 3].map((index) => piece(`heavy ${index}`, 9));
    const light = [1, 2, 3].map((index) => piece(`light ${index}`, 1));
    await Promise.all([first, ...heavy, ...light]);
    expect(order).toEqual(['first', 'light 1', 'heavy 1', 'light 2', 'heavy 2', 'light 3', 'heavy 3']);
  });

  it('continues after a failed task', async () => {
    const lane = queueOf({});
    await expect(lane.run(() => Promise.reject(new Error('inside')))).rejects.toThrow('inside');
    await expect(lane.run(() => lane.releaseWhile(() => Promise.reject(new Error('outside'))))).rejects.toThrow(
      'outside',
    );
    expect(await lane.run(async () => 1)).toBe(1);
  });
});
