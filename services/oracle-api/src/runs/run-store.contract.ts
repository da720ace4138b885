import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RunFrame, RunStore } from './run-store.js';

const timestamp = new Date(0).toISOString();
const delta = (content: string) => ({ event: 'message' as const, data: { content, timestamp } });

/** What every adapter of the port guarantees. */
export function runStoreContract(name: string, open: () => RunStore): void {
  describe(`${name} keeps the frames of runs`, () => {
    const begin = async (store: RunStore, place: { ownerDid?: string; sessionId?: string } = {}) => {
      const runId = randomUUID();
      await store.begin({ runId, ownerDid: 'did:key:asha', sessionId: 's1', requestId: 'r1', ...place });
      return runId;
    };
    const read = async (store: RunStore, runId: string, after = 0, signal = new AbortController().signal) => {
      const frames: RunFrame[] = [];
      for await (const batch of store.follow(runId, after, signal)) frames.push(...batch);
      return frames;
    };
    const idsOf = (frames: readonly RunFrame[]) => frames.map(({ id }) => id);

    it('numbers frames from 1 and gives them back in order', async () => {
      const store = open();
      const runId = await begin(store);
      for (const content of ['a', 'b', 'c']) await store.append(runId, delta(content));
      await store.end(runId, 'finished');
      const frames = await read(store, runId);
      expect(idsOf(frames)).toEqual([1, 2, 3]);
      expect(frames[1]).toEqual({ id: 2, event: 'message', data: JSON.stringify({ content: 'b', timestamp }) });
    });

    it('gives a reader that begins at any frame exactly the frames after it', async () => {
      const store = open();
      const runId = await begin(store);
      for (let i = 0; i < 20; i++) await store.append(runId, delta(String(i)));
      await store.end(runId, 'finished');
      for (let after = 0; after <= 20; after++) {
        expect(idsOf(await read(store, runId, after))).toEqual(
          Array.from({ length: 20 - after }, (_, i) => after + i + 1),
        );
      }
      expect(await read(store, runId, 99)).toEqual([]);
    });

    it('gives many live readers every frame, and ends them with the run', async () => {
      const store = open();
      const runId = await begin(store);
      const readers = Array.from({ length: 5 }, () => read(store, runId));
      for (let i = 0; i < 50; i++) {
        await store.append(runId, delta(String(i)));
        if (i % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      await store.end(runId, 'finished');
      for (const frames of await Promise.all(readers))
        expect(idsOf(frames)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    });

    it('lets a reader leave while it waits', async () => {
      const store = open();
      const runId = await begin(store);
      await store.append(runId, delta('a'));
      const leave = new AbortController();
      const reading = read(store, runId, 0, leave.signal);
      await new Promise((resolve) => setImmediate(resolve));
      leave.abort();
      expect(idsOf(await reading)).toEqual([1]);
    });

    it('keeps batches small for a reader that is far behind', async () => {
      const store = open();
      const runId = await begin(store);
      for (let i = 0; i < 10; i++) await store.append(runId, delta('x'.repeat(30_000)));
      await store.end(runId, 'finished');
      let batches = 0;
      for await (const batch of store.follow(runId, 0, new AbortController().signal)) {
        expect(batch.reduce((sum, frame) => sum + frame.data.length, 0)).toBeLessThan(100_000);
        batches++;
      }
      expect(batches).toBeGreaterThan(3);
    });

    it('refuses frames of a run that has not begun or has ended, and a second beginning', async () => {
      const store = open();
      await expect(store.append('nowhere', delta('a'))).rejects.toThrow();
      const runId = await begin(store);
      await expect(store.begin({ runId, ownerDid: 'o', sessionId: 's', requestId: 'r' })).rejects.toThrow();
      await store.end(runId, 'finished');
      await expect(store.append(runId, delta('a'))).rejects.toThrow();
      await expect(store.end(runId, 'failed')).rejects.toThrow();
    });

    it('has no frames for an unknown run', async () => {
      expect(await read(open(), 'nowhere')).toEqual([]);
    });

    it("forgets a session's ended runs and leaves those of others", async () => {
      const store = open();
      const gone = await begin(store);
      const other = await begin(store, { ownerDid: 'did:key:bo' });
      const running = await begin(store);
      for (const runId of [gone, other, running]) await store.append(runId, delta('a'));
      await store.end(gone, 'finished');
      await store.end(other, 'finished');
      await store.forgetSession('did:key:asha', 's1');
      expect(await read(store, gone)).toEqual([]);
      expect(await read(store, other)).toHaveLength(1);
      await store.end(running, 'finished');
      expect(await read(store, running)).toHaveLength(1);
    });
  });
}
