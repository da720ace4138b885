import { postgresUrl } from '@mlango/test-services/real-postgres';
import { canStartRedis, startRedis } from '@mlango/test-services/servers';
import { describe, expect, it, vi } from 'vitest';
import type { SseEvent } from '../src/runs/log/parse-sse.fixture.js';
import { countTo, dataOf, isWhole, lostIn, replicasOfTests, textOf } from './running-turns.fixture.js';

const replicas = replicasOfTests();

describe.skipIf(!canStartRedis || postgresUrl === undefined)('a running turn', { timeout: 90_000 }, () => {
  it('continues in its process if Redis is killed: streams, resumed streams, and whole answers', async () => {
    const { one, redis, underWay, resume, answerOf } = await replicas(1, await startRedis());
    const { asJson, stream, runId } = await underWay(100);
    await redis.kill();
    const before = stream.soFar().length;
    // During the outage, not in one piece at the end.
    await vi.waitFor(() => expect(stream.soFar().length).toBeGreaterThan(before + 5), 5_000);
    expect(stream.soFar().at(-1)?.event).toBe('message');
    const resumed = resume(one, runId, 3);
    const all = await stream.whole;
    expect([isWhole(all), textOf(all), dataOf(all.at(-1) as SseEvent)['status']]).toEqual([
      true,
      countTo(100),
      'finished',
    ]);
    const rest = await resumed.whole;
    expect(textOf(all.slice(0, 3)) + textOf(rest)).toBe(countTo(100));
    expect(rest.at(-1)?.event).toBe('done');
    expect(await answerOf(asJson)).toEqual([200, countTo(100)]);
  });

  it('continues in its process if Redis is emptied, and its stream reports the lost range', async () => {
    const { one, two, underWay, resume, empty, answerOf } = await replicas(2, await startRedis());
    const { asJson, stream, runId } = await underWay(100);
    await empty();
    const [here, there] = [resume(one, runId, 5), resume(two, runId, 5)];
    const all = await stream.whole;
    expect([isWhole(all), textOf(all), dataOf(all.at(-1) as SseEvent)['status']]).toEqual([
      true,
      countTo(100),
      'finished',
    ]);
    for (const { whole } of [here, there]) {
      const rest = await whole;
      expect(textOf(all.slice(0, 5)) + textOf(rest)).toBe(countTo(100));
      expect(lostIn(rest).at(-1)).toEqual({ from: 1, to: expect.any(Number) });
      expect(rest.at(-1)?.event).toBe('done');
    }
    const late = await resume(two, runId, 0).whole;
    expect([textOf(late), late[0]?.event, late.at(-1)?.event]).toEqual([countTo(100), 'run', 'done']);
    expect(await answerOf(asJson)).toEqual([200, countTo(100)]);
  });

  it('is reported on another replica if Redis is killed: first the unreadable range, then the rest', async () => {
    const { two, redis, underWay, resume } = await replicas(2, await startRedis());
    const { stream, runId } = await underWay(300);
    const followed = resume(two, runId, 0);
    await vi.waitFor(() => expect(textOf(followed.soFar()).length).toBeGreaterThan(10), 10_000);
    await redis.kill();
    const late = resume(two, runId, 5);
    await vi.waitFor(() => expect(lostIn(followed.soFar())).toHaveLength(1), 12_000);
    await vi.waitFor(() => expect(lostIn(late.soFar())).toEqual([{ from: 6 }]), 12_000);
    expect(stream.soFar().at(-1)?.event, 'the turn is still under way').toBe('message');
    const all = await stream.whole;
    expect([isWhole(all), textOf(all)]).toEqual([true, countTo(300)]);
    expect(textOf(await followed.whole)).toBe(countTo(300));
    const rest = await late.whole;
    expect(textOf(all.slice(0, 5)) + textOf(rest)).toBe(countTo(300));
    expect(dataOf(rest.at(-1) as SseEvent)).toMatchObject({ status: 'finished' });
  });

  it('loses no part of its log if Redis hangs for a while', async () => {
    const { two, redis, underWay, resume } = await replicas(2, await startRedis());
    const { stream, runId } = await underWay(100);
    redis.pause();
    await vi.waitFor(() => expect(stream.soFar().length).toBeGreaterThan(40), 10_000);
    redis.resume();
    const all = await stream.whole;
    expect([isWhole(all), textOf(all)]).toEqual([true, countTo(100)]);
    const resumed = await resume(two, runId, 0).whole;
    expect([textOf(resumed), lostIn(resumed)]).toEqual([countTo(100), []]);
  });
});
