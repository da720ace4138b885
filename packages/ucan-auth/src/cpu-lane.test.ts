import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CpuLane } from './cpu-lane.js';

function burn(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('CpuLane', () => {
  it('lets others in between when the work of one turn has had its share', async () => {
    const lane = new CpuLane(1);
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

  it('runs one piece at a time, but for those that wait outside', async () => {
    const lane = new CpuLane(1000);
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
        const seen = await lane.outside(async () => {
          await nextTurn();
          return waiting;
        });
        expect(seen).toBe(5);
      });
    await Promise.all(Array.from({ length: 5 }, piece));
    expect(most).toBe(1);
  });

  it('lets light work pass heavy work, and heavy work through between light work', async () => {
    const lane = new CpuLane(1000);
    const order: string[] = [];
    const piece = (name: string, weight: number) => lane.run(async () => void order.push(name), weight);
    const first = piece('first', 9);
    const heavy = [1, 2, 3].map((index) => piece(`heavy ${index}`, 9));
    const light = [1, 2, 3].map((index) => piece(`light ${index}`, 1));
    await Promise.all([first, ...heavy, ...light]);
    expect(order).toEqual(['first', 'light 1', 'heavy 1', 'light 2', 'heavy 2', 'light 3', 'heavy 3']);
  });

  it('goes on after a piece that failed, inside or outside', async () => {
    const lane = new CpuLane(1000);
    await expect(lane.run(() => Promise.reject(new Error('inside')))).rejects.toThrow('inside');
    await expect(lane.run(() => lane.outside(() => Promise.reject(new Error('outside'))))).rejects.toThrow('outside');
    expect(await lane.run(async () => 1)).toBe(1);
  });
});
