import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type RunFrame, type RunKey, type RunLogStore, StaleWriterError } from './store.js';

const timestamp = new Date(0).toISOString();
const frame = (id: number, content = 'x'): RunFrame => ({
  id,
  event: 'message',
  data: JSON.stringify({ content, timestamp }),
  textLength: id,
});
const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

/** Contract tests for every adapter of the port. */
export function runStoreContract(name: string, open: () => RunLogStore): void {
  describe(`${name} stores the frames of runs`, () => {
    let store: RunLogStore;
    beforeEach(() => {
      store = open();
    });
    const begin = async (): Promise<RunKey> => {
      const run = { runId: randomUUID(), ownerDid: 'did:key:asha' };
      await store.begin(run, 'w1');
      return run;
    };
    const write = (run: RunKey, ...ids: number[]) =>
      store.append(
        run,
        'w1',
        ids.map((id) => frame(id)),
      );
    const follow = async (run: RunKey, after = 0, signal = new AbortController().signal) => {
      const frames: RunFrame[] = [];
      for await (const batch of store.follow(run, after, signal)) frames.push(...batch);
      return frames;
    };
    const idsOf = (frames: readonly RunFrame[] | undefined) => frames?.map(({ id }) => id);

    it('returns frames as they were written, in order', async () => {
      const run = await begin();
      const odd = frame(2, '“Habari” 👋🏾 \u2028 \\ \' " 日本 \u0000');
      await store.append(run, 'w1', [frame(1), odd]);
      await write(run, 3);
      await store.end(run, 'w1', false);
      const frames = await follow(run);
      expect(idsOf(frames)).toEqual([1, 2, 3]);
      expect(frames[1]).toEqual(odd);
    });

    it('returns exactly the frames after any frame', async () => {
      const run = await begin();
      await write(run, ...range(1, 20));
      await store.end(run, 'w1', false);
      for (let after = 0; after <= 20; after++) expect(idsOf(await follow(run, after))).toEqual(range(after + 1, 20));
      expect(await follow(run, 99)).toEqual([]);
    });

    it('ends with its last frames in one step, which readers receive before their end', async () => {
      for (const isAnswerStored of [false, true]) {
        const run = await begin();
        await write(run, 1, 2);
        const [reading, behind] = [follow(run), follow(run, 2)];
        await new Promise((resolve) => setImmediate(resolve));
        const done = { id: 4, event: 'done' as const, data: '{}', textLength: 3 };
        await store.end(run, 'w1', isAnswerStored, [frame(2), frame(3), done]);
        expect([idsOf(await reading), idsOf(await behind)]).toEqual([[1, 2, 3, 4], range(3, 4)]);
        expect(await store.read(run, 3)).toMatchObject({ frames: [{ id: 4 }], isEnded: true });
        await expect(store.end(run, 'w1', isAnswerStored, [frame(5)])).rejects.toThrow(StaleWriterError);
        await expect(store.end({ ...run, ownerDid: 'did:key:bo' }, 'w1', isAnswerStored, [frame(5)])).rejects.toThrow(
          StaleWriterError,
        );
        expect((await follow(run)).at(-1)?.id).toBe(4);
      }
    });

    it('restarts a missing log after its last id, and reports that the log is missing', async () => {
      const run = await begin();
      await write(run, 1, 2, 3);
      await store.forget([run]);
      const failure: unknown = await write(run, 4).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StaleWriterError);
      expect(failure).toMatchObject({ isMissing: true });
      await store.begin(run, 'w1', [frame(1), frame(3)]);
      await write(run, 3, 4, 5);
      await store.end(run, 'w1', false);
      expect(idsOf(await follow(run))).toEqual([1, 3, 4, 5]);
      expect(idsOf(await follow(run, 2))).toEqual([3, 4, 5]);
      expect(await Promise.all([1, 2, 3, 4].map((id) => store.textLengthAt(run, id)))).toEqual([1, undefined, 3, 4]);
    });

    it('reports a log without its last frames as missing, and replaces it for its writer only', async () => {
      const run = await begin();
      await write(run, 1, 2);
      for (const ids of [[4], [4, 5]]) {
        await expect(write(run, ...ids)).rejects.toMatchObject({ isMissing: true });
        expect(idsOf((await store.read(run, 0))?.frames)).toEqual([1, 2]);
      }
      await expect(store.end(run, 'w1', false, [frame(4)])).rejects.toMatchObject({ isMissing: true });
      await expect(store.begin(run, 'w2', [frame(3)])).rejects.toThrow();
      await store.begin(run, 'w1', [frame(1), frame(2), frame(3)]);
      await write(run, 2, 3, 4);
      await store.end(run, 'w1', false);
      expect(idsOf(await follow(run))).toEqual([1, 2, 3, 4]);
      await expect(store.begin(run, 'w1')).rejects.toThrow();
    });

    it('skips frames that are stored already, so that an append may be repeated', async () => {
      const run = await begin();
      await write(run, 1, 2);
      await write(run, 1, 2, 3);
      await write(run, 3);
      await store.end(run, 'w1', false);
      expect(idsOf(await follow(run))).toEqual([1, 2, 3]);
    });

    it('sends every frame to many live readers, from any start, and ends them with the run', async () => {
      const run = await begin();
      await write(run, ...range(1, 10));
      const readers = range(0, 9).map((after) => follow(run, after));
      for (const id of range(11, 50)) {
        await write(run, id);
        if (id % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      await store.end(run, 'w1', false);
      for (const [after, frames] of (await Promise.all(readers)).entries())
        expect(idsOf(frames)).toEqual(range(after + 1, 50));
    });

    it('reads stored frames without waiting, and reports whether more can follow', async () => {
      const run = await begin();
      expect(await store.read(run, 0)).toEqual({ frames: [], isEnded: false });
      await write(run, 1, 2);
      expect(idsOf((await store.read(run, 1))?.frames)).toEqual([2]);
      await store.end(run, 'w1', false);
      expect(await store.read(run, 0)).toMatchObject({ isEnded: true });
      expect(await store.read(run, 2)).toEqual({ frames: [], isEnded: true });
    });

    it('returns the length of the answer after each frame, during the run and after it', async () => {
      for (const isAnswerStored of [false, true]) {
        const run = await begin();
        await write(run, ...range(1, 5));
        expect(await store.textLengthAt(run, 3)).toBe(3);
        expect(await store.textLengthAt(run, 6)).toBeUndefined();
        await store.end(run, 'w1', isAnswerStored);
        for (const id of range(1, 5)) expect(await store.textLengthAt(run, id)).toBe(id);
        expect(await store.textLengthAt({ ...run, runId: randomUUID() }, 1)).toBeUndefined();
      }
    });

    it('lets a waiting reader close', async () => {
      const run = await begin();
      await write(run, 1);
      const leave = new AbortController();
      const reading = follow(run, 0, leave.signal);
      await new Promise((resolve) => setImmediate(resolve));
      leave.abort();
      expect((await reading).length).toBeLessThanOrEqual(1);
    });

    it('bounds the batches of a reader that is far behind', async () => {
      const run = await begin();
      for (const id of range(1, 10)) await store.append(run, 'w1', [frame(id, 'x'.repeat(30_000))]);
      await store.end(run, 'w1', false);
      let batches = 0;
      for await (const batch of store.follow(run, 0, new AbortController().signal)) {
        expect(batch.reduce((sum, { data }) => sum + data.length, 0)).toBeLessThan(100_000);
        batches++;
      }
      expect(batches).toBeGreaterThan(3);
    });

    it('accepts frames from one writer only, and none after the end', async () => {
      const run = await begin();
      await expect(store.append(run, 'w2', [frame(1)])).rejects.toThrow(StaleWriterError);
      await expect(store.end(run, 'w2', false)).rejects.toThrow(StaleWriterError);
      await expect(store.end(run, 'w2', true)).rejects.toThrow(StaleWriterError);
      await expect(store.begin(run, 'w2')).rejects.toThrow();
      await store.end(run, 'w1', false);
      await expect(write(run, 1)).rejects.toThrow(StaleWriterError);
      await expect(store.end(run, 'w1', true)).rejects.toThrow(StaleWriterError);
      await expect(store.append({ ...run, runId: randomUUID() }, 'w1', [frame(1)])).rejects.toThrow(StaleWriterError);
    });

    it('fences a writer after a takeover', async () => {
      const run = await begin();
      await write(run, 1);
      expect(await store.takeOver(run, 'w2')).toBe(true);
      await expect(write(run, 2)).rejects.toThrow(StaleWriterError);
      await expect(store.end(run, 'w1', false)).rejects.toThrow(StaleWriterError);
      await store.append(run, 'w2', [frame(2, 'other')]);
      await store.end(run, 'w2', false);
      expect((await follow(run))[1]).toEqual(frame(2, 'other'));
      expect(await store.takeOver(run, 'w3')).toBe(false);
      expect(await store.takeOver({ ...run, runId: randomUUID() }, 'w3')).toBe(false);
    });

    it('treats the run of another user as absent', async () => {
      const run = await begin();
      await write(run, 1);
      const foreign = { ...run, ownerDid: 'did:key:bo' };
      expect(await store.read(foreign, 0)).toBeUndefined();
      expect(await follow(foreign)).toEqual([]);
      await expect(store.append(foreign, 'w1', [frame(2)])).rejects.toThrow(StaleWriterError);
      expect(await store.takeOver(foreign, 'w1')).toBe(false);
      await store.forget([foreign]);
      expect(idsOf((await store.read(run, 0))?.frames)).toEqual([1]);
    });

    it('deletes runs, also running ones, and ends their readers', async () => {
      const [deleted, other] = [await begin(), await begin()];
      await write(deleted, 1);
      await write(other, 1);
      const reading = follow(deleted);
      await new Promise((resolve) => setImmediate(resolve));
      await store.forget([deleted, { runId: randomUUID(), ownerDid: 'did:key:asha' }]);
      expect((await reading).length).toBeLessThanOrEqual(1);
      expect(await store.read(deleted, 0)).toBeUndefined();
      await expect(write(deleted, 2)).rejects.toThrow(StaleWriterError);
      expect(idsOf((await store.read(other, 0))?.frames)).toEqual([1]);
    });
  });
}
