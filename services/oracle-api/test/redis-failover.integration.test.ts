import { postgresUrl } from '@mlango/test-services/real-postgres';
import { canStartRedis, startRedisCluster } from '@mlango/test-services/servers';
import { describe, expect, it, vi } from 'vitest';
import { countTo, isWhole, replicasOfTests, textOf } from './running-turns.fixture.js';

const replicas = replicasOfTests();

const words = 100;

describe.skipIf(!canStartRedis || postgresUrl === undefined)('running turns', { timeout: 150_000 }, () => {
  it('continue if a master of the cluster is killed, and are complete for readers on every replica', async () => {
    const cluster = await startRedisCluster({ nodeTimeoutMs: 1_500 });
    const { one, two, underWay, resume, answerOf } = await replicas(2, cluster);
    // The keys of the turns are on different masters.
    const turns = await Promise.all(Array.from({ length: 4 }, () => underWay(words)));
    const followed = turns.map(({ runId }) => resume(two, runId, 0));
    await vi.waitFor(() => expect(followed.every(({ soFar }) => textOf(soFar()) !== '')).toBe(true), 10_000);
    await cluster.nodes[2]?.kill();
    for (const { asJson, stream } of turns) {
      const all = await stream.whole;
      expect([isWhole(all), textOf(all)]).toEqual([true, countTo(words)]);
      expect(await answerOf(asJson)).toEqual([200, countTo(words)]);
    }
    for (const { whole } of followed) expect(textOf(await whole)).toBe(countTo(words));
    // Streams are read again after the replica of the killed master has taken over.
    for (const base of [one, two]) {
      for (const { runId } of turns) {
        await vi.waitFor(async () => expect(textOf(await resume(base, runId, 0).whole)).toBe(countTo(words)), 30_000);
      }
    }
  });
});
