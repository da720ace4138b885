import { describe, expect, it } from 'vitest';
import { FramesUnderWay } from './event-stream.js';

/** Streams of twelve frames of a process with a CPU time set by hand. */
function watch(streams: number) {
  let cpuUs = 0;
  const frames = new FramesUnderWay({ streams, framesOfStream: 12 }, () => cpuUs);
  const at = (us: number, before: number, now: number) => {
    cpuUs = us;
    frames.add(before, now);
  };
  return { frames, at };
}

describe('frames under way', () => {
  it('are counted from when all streams have started until the first one ends', () => {
    const { frames, at } = watch(2);
    at(1_000, 0, 3);
    at(5_000, 0, 1);
    at(6_000, 1, 3);
    for (let frame = 3; frame < 10; frame++)
      for (const offset of [0, 5]) at(6_000 + 10 * frame + offset, frame, frame + 1);
    at(6_150, 10, 11);
    at(9_000, 10, 12);
    expect(frames.cpuUs).toBe(150 / 15);
  });

  it('have no figure if some streams end before others start, or too few frames arrive', () => {
    const early = watch(2);
    early.at(10, 0, 12);
    early.at(20, 0, 12);
    expect(early.frames.cpuUs).toBeUndefined();
    const few = watch(1);
    few.at(10, 0, 7);
    few.at(20, 7, 11);
    expect(few.frames.cpuUs).toBeUndefined();
  });
});
