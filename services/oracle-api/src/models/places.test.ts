import { describe, expect, it } from 'vitest';
import { Places } from './places.js';

const patient = () => new AbortController().signal;

describe('places', () => {
  it('are handed on in the order in which they were waited for', async () => {
    const places = new Places(1);
    const order: string[] = [];
    const take = async (name: string) => {
      await places.enter(patient());
      order.push(name);
      places.leave();
    };
    expect(await places.enter(patient())).toBe(true);
    const all = Promise.all(['a', 'b', 'c'].map(take));
    expect(order).toEqual([]);
    places.leave();
    await all;
    expect(order).toEqual(['a', 'b', 'c']);
    expect(await places.enter(patient())).toBe(true);
  });

  it('are not for who does not wait any more', async () => {
    const places = new Places(1);
    await places.enter(patient());
    const stop = new AbortController();
    const waiting = places.enter(stop.signal);
    stop.abort();
    expect(await waiting).toBe(false);
    expect(await places.enter(stop.signal)).toBe(false);
    places.leave();
    expect(await places.enter(patient())).toBe(true);
  });
});
