import { describe, expect, it } from 'vitest';
import { Notifier } from './notifier.js';
import type { RunFrame } from './store.js';
import { RunTail } from './tail.js';

const frame = (id: number, data = '""'): RunFrame => ({ id, event: 'message', data, textLength: 0 });
const ids = (frames: readonly RunFrame[] | undefined) => frames?.map(({ id }) => id);
const reader = () => new Notifier(new AbortController().signal, 1);

describe('the newest frames of a run', () => {
  it('are read from any buffered frame without gaps', () => {
    const tail = new RunTail([]);
    tail.addReader(reader());
    expect(tail.read(0)).toEqual([]);
    tail.push([frame(1), frame(2)]);
    tail.push([frame(3)]);
    expect([0, 1, 2, 3].map((after) => ids(tail.read(after)))).toEqual([[1, 2, 3], [2, 3], [3], []]);
  });

  it('are not read by a reader that is further behind', () => {
    const tail = new RunTail();
    tail.addReader(reader());
    expect(tail.read(0)).toBeUndefined();
    tail.push([frame(5)]);
    expect(tail.read(3)).toBeUndefined();
    expect(ids(tail.read(4))).toEqual([5]);
  });

  it('are bounded in number and size', () => {
    const tail = new RunTail([]);
    tail.addReader(reader());
    for (let id = 1; id <= 1_000; id++) tail.push([frame(id, 'x'.repeat(100))]);
    expect(tail.read(0)).toBeUndefined();
    expect(ids(tail.read(950))).toHaveLength(50);
    tail.push([frame(1_001, 'x'.repeat(1_000_000))]);
    expect(tail.read(1_000)).toBeUndefined();
    expect(tail.read(1_001)).toEqual([]);
  });

  it('are buffered only with readers, and notify them', async () => {
    const tail = new RunTail([]);
    tail.push([frame(1)]);
    expect(tail.read(0)).toBeUndefined();
    const notifier = reader();
    tail.addReader(notifier);
    tail.push([frame(2)]);
    expect(await notifier.wait()).toBe(true);
    expect(ids(tail.read(1))).toEqual([2]);
    tail.removeReader(notifier);
    expect(tail.read(1)).toBeUndefined();
  });

  it('are all buffered for every reader while they are stored nowhere else', () => {
    const tail = new RunTail([frame(1), frame(2), frame(3)]);
    tail.show([frame(1), frame(3), frame(4)]);
    tail.show([frame(5, 'x'.repeat(20_000))]);
    expect([0, 1, 3, 5].map((after) => ids(tail.read(after)))).toEqual([[1, 3, 4, 5], [3, 4, 5], [4, 5], []]);
    tail.push([frame(4), frame(5), frame(6)]);
    expect([ids(tail.read(0)), tail.read(6)]).toEqual([undefined, []]);
  });
});
