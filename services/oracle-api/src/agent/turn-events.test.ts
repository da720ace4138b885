import { describe, expect, it } from 'vitest';
import { RunWriter } from '../runs/log/append.js';
import { MemoryRunLogStore } from '../runs/log/memory.js';
import { type TurnEvent, TurnEvents, type TurnListener } from './turn-events.js';

const run = { runId: 'r', ownerDid: 'o', sessionId: 's', requestId: 'q' };
const say = (content: string): TurnEvent => ({ event: 'message', data: { content, timestamp: '' } });
const show: TurnEvent = { event: 'router_update', data: { sessionId: 's', requestId: 'q', step: 'x' } };

async function setUp(listeners: readonly TurnListener[]) {
  const store = new MemoryRunLogStore({ retentionMs: 1_000, limitChars: 10_000_000 }, () => 0);
  await store.begin(run, 'w');
  const parts = { store, run, writerId: 'w', retryMs: 1, patienceMs: 1_000 };
  const callbacks = { onTakenOver: () => undefined, onBroken: () => undefined };
  const log = new RunWriter({ ...parts, ...callbacks, now: () => new Date(0), isHeld: async () => true });
  const failures: unknown[] = [];
  const events = new TurnEvents({ run, log, listeners, onFailure: (error) => failures.push(error) });
  const kept = async () => ((await store.read(run, 0))?.frames ?? []).map(({ event }) => event);
  return { events, log, kept, failures };
}

describe('events of a turn', () => {
  it('reach all listeners in order, and the log if they belong to the stream', async () => {
    const heard: string[] = [];
    const listener = { emit: (_: object, { event }: TurnEvent) => void heard.push(event) };
    const { events, log, kept } = await setUp([listener]);
    for (const event of [say('a'), show, say('b')]) events.publish(event);
    await log.end(true);
    expect(heard).toEqual(['message', 'router_update', 'message']);
    expect(await kept()).toEqual(['message', 'message']);
  });

  it('reach the other listeners after one has failed', async () => {
    const heard: string[] = [];
    const broken = () => {
      throw new Error('broken');
    };
    const { events, failures } = await setUp([
      { emit: broken },
      { emit: (_: object, { event }: TurnEvent) => void heard.push(event) },
    ]);
    events.publish(show);
    expect(heard).toEqual(['router_update']);
    expect(failures).toEqual([new Error('broken')]);
  });

  it('are bounded: a publisher waits until they are stored', async () => {
    const { events } = await setUp([]);
    events.publish(say('x'));
    expect(events.isFull).toBe(false);
    events.publish(say('x'.repeat(300_000)));
    expect(events.isFull).toBe(true);
    await events.room();
    expect(events.isFull).toBe(false);
  });
});
