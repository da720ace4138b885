import { describe, expect, it, vi } from 'vitest';
import { RunWriter, type RunWriterOptions } from './append.js';
import { parseTextEnds } from './frames.js';
import { MemoryRunLogStore } from './memory.js';

const run = { runId: 'r', ownerDid: 'o', sessionId: 's', requestId: 'q' };
const delta = (content: string) => ({ event: 'message' as const, data: { content, timestamp: '' } });

async function setUp(patienceMs = 20, more: Partial<RunWriterOptions> = {}) {
  const store = new MemoryRunLogStore({ retentionMs: 1000, limitChars: 10_000_000 }, () => 0);
  await store.begin(run, 'w');
  const reported = { takenOver: 0, broken: 0 };
  const held = { by: 'w' };
  const writer = new RunWriter({
    store,
    run,
    writerId: 'w',
    now: () => new Date(0),
    isHeld: async () => held.by === 'w',
    retryMs: 1,
    patienceMs,
    onTakenOver: () => reported.takenOver++,
    onBroken: () => reported.broken++,
    ...more,
  });
  const frames = async () => (await store.read(run, 0))?.frames ?? [];
  return { store, writer, reported, held, frames };
}

describe('the writer of a run', () => {
  it('numbers its frames and counts the characters of the answer', async () => {
    const { writer, frames } = await setUp();
    writer.write({ event: 'run', data: { runId: 'r', sessionId: 's', requestId: 'q' } });
    writer.write(delta('Hel'));
    writer.write(delta('lo'));
    await writer.end(false);
    expect((await frames()).map(({ id, textLength }) => [id, textLength])).toEqual([
      [1, 0],
      [2, 3],
      [3, 5],
    ]);
  });

  it('stores many deltas with few appends', async () => {
    const { store, writer, frames } = await setUp();
    const append = vi.spyOn(store, 'append');
    for (let i = 0; i < 100; i++) writer.write(delta('x'));
    await writer.end(false);
    expect(await frames()).toHaveLength(100);
    expect(append.mock.calls.length).toBeLessThan(5);
  });

  it('ends a log in one step with the buffered frames', async () => {
    const { store, writer, frames } = await setUp();
    const [append, end] = [vi.spyOn(store, 'append'), vi.spyOn(store, 'end')];
    writer.write(delta('a'));
    writer.write(delta('b'));
    await writer.end(true);
    expect([append.mock.calls.length, end.mock.calls.length]).toEqual([0, 1]);
    expect(await frames()).toHaveLength(2);
    expect((await store.read(run, 0))?.isEnded).toBe(true);
  });

  it('loses and duplicates nothing when the end fails, also when it took effect', async () => {
    for (const tookEffect of [false, true]) {
      const { store, writer, frames, reported } = await setUp();
      const end = store.end.bind(store);
      vi.spyOn(store, 'end').mockImplementationOnce(async (...args) => {
        if (tookEffect) await end(...args);
        throw new Error('Command timed out');
      });
      writer.write(delta('a'));
      await writer.end(true);
      expect((await frames()).map(({ id }) => id)).toEqual([1]);
      expect([(await store.read(run, 0))?.isEnded, reported.broken]).toEqual([true, 0]);
    }
  });

  it('appends the gap marker of a log that was restarted for its last frames', async () => {
    const { store, writer, frames } = await setUp();
    writer.write(delta('a'));
    await writer.flush();
    await store.forget([run]);
    writer.write(delta('b'));
    await writer.end(false);
    expect((await frames()).map(({ id, event }) => [id, event])).toEqual([
      [1, 'run'],
      [2, 'message'],
      [3, 'run'],
    ]);
    expect((await store.read(run, 0))?.isEnded).toBe(true);
  });

  it('loses and duplicates nothing when appends fail, also when they took effect', async () => {
    const { store, writer, frames, reported } = await setUp();
    const append = store.append.bind(store);
    let calls = 0;
    vi.spyOn(store, 'append').mockImplementation(async (...args) => {
      calls++;
      if (calls % 3 === 1) throw new Error('Command timed out');
      await append(...args);
      if (calls % 3 === 2) throw new Error('Command timed out');
    });
    for (let i = 0; i < 20; i++) {
      writer.write(delta(String(i)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writer.end(false);
    const contents = (await frames()).map(({ data }) => (JSON.parse(data) as { content: string }).content);
    expect(contents).toEqual(Array.from({ length: 20 }, (_, i) => String(i)));
    expect(reported).toEqual({ takenOver: 0, broken: 0 });
  });

  it('reports a takeover once, and writes nothing after it', async () => {
    const { store, writer, frames, reported } = await setUp();
    await store.takeOver(run, 'other');
    writer.write(delta('a'));
    writer.write(delta('b'));
    await writer.end(false);
    writer.write(delta('c'));
    expect(reported).toEqual({ takenOver: 1, broken: 0 });
    expect(await frames()).toEqual([]);
  });

  it('abandons a log that cannot be stored, and blocks no writer after that', async () => {
    const { store, writer, reported } = await setUp();
    vi.spyOn(store, 'append').mockRejectedValue(new Error('away'));
    writer.write(delta('x'.repeat(300_000)));
    await writer.room();
    writer.write(delta('y'));
    await writer.end(false);
    expect(reported).toEqual({ takenOver: 0, broken: 1 });
    expect(await store.read(run, 0)).toBeDefined();
  });

  it('holds unsaved frames for local readers at a suspension, and nothing otherwise', async () => {
    for (const isBroken of [false, true]) {
      const { store, writer, reported } = await setUp();
      const pause = vi.spyOn(store, 'pause');
      if (isBroken) vi.spyOn(store, 'append').mockRejectedValue(new Error('Command timed out'));
      writer.write(delta('a'));
      await writer.pause();
      expect([reported.broken, pause.mock.calls.length]).toEqual(isBroken ? [1, 0] : [0, 1]);
    }
  });

  it('deletes an abandoned log once the answer is stored, and returns its text marks', async () => {
    const { store, writer } = await setUp();
    writer.write(delta('Hel'));
    vi.spyOn(store, 'append').mockRejectedValue(new Error('OOM command not allowed'));
    writer.write(delta('x'.repeat(300_000)));
    await writer.room();
    writer.write(delta('lo'));
    await writer.end(true);
    expect(await store.read(run, 0)).toBeUndefined();
    expect(parseTextEnds(writer.textMarks)).toEqual([3, 300_003, 300_005]);
  });

  it('restarts a lost log with its text and a gap marker, while it holds the run', async () => {
    const { store, writer, reported, held, frames } = await setUp();
    writer.write({ event: 'run', data: { runId: 'r', sessionId: 's', requestId: 'q' } });
    writer.write(delta('Hel'));
    writer.write({
      event: 'reasoning',
      data: { sessionId: 's', requestId: 'q', reasoning: 'hm', isComplete: true, timestamp: '' },
    });
    writer.write(delta('lo'));
    await writer.flush();
    await store.forget([run]);
    writer.write(delta(' wo'));
    await writer.flush();
    writer.write(delta('rld'));
    await writer.flush();
    const all = (await frames()).map(({ id, event, data, textLength }) => [
      id,
      event,
      JSON.parse(data) as object,
      textLength,
    ]);
    expect(all).toMatchObject([
      [1, 'run', { runId: 'r', sessionId: 's', requestId: 'q' }, 0],
      [2, 'message', { content: 'Hel' }, 3],
      [4, 'message', { content: 'lo' }, 5],
      [5, 'message', { content: ' wo' }, 8],
      [6, 'run', { resumed: true, partialLength: 8, lost: { from: 1, to: 4 } }, 8],
      [7, 'message', { content: 'rld' }, 11],
    ]);
    expect(reported).toEqual({ takenOver: 0, broken: 0 });
    held.by = 'other';
    await store.forget([run]);
    writer.write(delta('!'));
    await writer.end(true);
    expect([reported, await store.read(run, 0)]).toEqual([{ takenOver: 1, broken: 0 }, undefined]);
  });

  it('ends a log at its size limit with a gap marker, and reports it once', async () => {
    for (const limits of [
      { frames: 2, chars: 1_000 },
      { frames: 1_000, chars: 50 },
    ]) {
      const { writer, reported, frames } = await setUp(20, { limits });
      for (const word of ['Ha', 'ba', 'ri', '!']) writer.write(delta(word));
      await writer.end(false);
      expect((await frames()).map(({ id, event, data }) => [id, event, JSON.parse(data) as object])).toMatchObject([
        [1, 'message', { content: 'Ha' }],
        [2, 'message', { content: 'ba' }],
        [3, 'run', { runId: 'r', resumed: true, lost: { from: 4 } }],
      ]);
      expect([reported, parseTextEnds(writer.textMarks)]).toEqual([{ takenOver: 0, broken: 1 }, [2, 4, 4, 6, 7]]);
    }
  });

  it('sends unsaved frames to readers, at first all of them, and stores them after recovery', async () => {
    const { store, writer, frames } = await setUp(60_000);
    const shown: string[] = [];
    vi.spyOn(store, 'showUnsaved').mockImplementation((_run, each) => {
      shown.push(each.map(({ id, data }) => `${id} ${(JSON.parse(data) as { content: string }).content}`).join());
    });
    writer.write(delta('a'));
    writer.write(delta('b'));
    await writer.flush();
    const failing = vi.spyOn(store, 'append').mockRejectedValue(new Error('away'));
    writer.write(delta('c'));
    await vi.waitFor(() => expect(shown).toHaveLength(1));
    writer.write(delta('d'));
    expect(shown).toEqual(['1 undefined,2 b,3 c', '4 d']);
    failing.mockRestore();
    await writer.end(false);
    expect((await frames()).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  });

  it('sends no unsaved frames once another process has taken over', async () => {
    const { store, writer, reported } = await setUp(60_000);
    const shown: number[] = [];
    vi.spyOn(store, 'showUnsaved').mockImplementation((_run, each) => shown.push(...each.map(({ id }) => id)));
    vi.spyOn(store, 'append').mockRejectedValueOnce(new Error('Command timed out'));
    await store.takeOver(run, 'other');
    writer.write(delta('a'));
    await writer.flush();
    expect([shown, reported.takenOver]).toEqual([[1], 1]);
    writer.write(delta('b'));
    await writer.end(false);
    expect(shown).toEqual([1]);
  });
});
