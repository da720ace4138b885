import { describe, expect, it, vi } from 'vitest';
import type { BusMessage, HubBus } from './hub-bus.js';

const SOON = { timeout: 15_000 };
const withdrawal = (toolCallId: string): BusMessage => ({ kind: 'withdraw', memberId: 'm', toolCallId });

/** What every bus does; `open` makes a bus of its own, and gives its end for one more replica at each call of the result. */
export function hubBusContract(name: string, open: () => () => Promise<HubBus>): void {
  async function replica(id: string, attach: () => Promise<HubBus>) {
    const got: BusMessage[] = [];
    const bus = await attach();
    await bus.listen(id, (message) => got.push(message));
    return { bus, got };
  }

  describe(`${name} as a hub bus`, () => {
    it('tells every other replica, and says how many there are', async () => {
      const attach = open();
      const [one, two, three] = [await replica('r1', attach), await replica('r2', attach), await replica('r3', attach)];
      expect(await one.bus.publish(withdrawal('x'))).toBe(2);
      await vi.waitFor(() => expect([two.got, three.got]).toEqual([[withdrawal('x')], [withdrawal('x')]]), SOON);
      expect(one.got).toEqual([]);
    });

    it('sends to one replica', async () => {
      const attach = open();
      const [one, two, three] = [await replica('s1', attach), await replica('s2', attach), await replica('s3', attach)];
      await one.bus.send('s2', withdrawal('x'));
      await one.bus.publish(withdrawal('last'));
      await vi.waitFor(() => expect(three.got).toEqual([withdrawal('last')]), SOON);
      await vi.waitFor(() => expect(two.got).toHaveLength(2), SOON);
    });

    it('keeps the order of one sender, and texts whole', async () => {
      const attach = open();
      const [one, two] = [await replica('t1', attach), await replica('t2', attach)];
      const ids = Array.from({ length: 50 }, (_, index) => `${index} é \u2028 "quoted"`);
      await Promise.all(ids.map((id) => one.bus.publish(withdrawal(id))));
      await vi.waitFor(() => expect(two.got).toEqual(ids.map(withdrawal)), SOON);
    });
  });
}
