import { describe, expect, it, vi } from 'vitest';
import type { BusMessage, HubBus, SessionMessage } from './hub-bus.js';

const SOON = { timeout: 15_000 };
const withdrawal = (toolCallId: string): BusMessage => ({ kind: 'withdraw', memberId: 'm', toolCallId });
const word = (sessionId: string, memberId: string): SessionMessage => ({
  kind: 'member_moved',
  memberId,
  sessionId,
  did: 'did:key:asha',
});

/** The session that all replicas follow in the first case. */
export const firstSession = 'first-session';

/** Contract of every bus. `open` creates a bus; each call of the result adds a replica. */
export function hubBusContract(name: string, open: () => () => Promise<HubBus>): void {
  async function replica(id: string, attach: () => Promise<HubBus>, ...sessions: string[]) {
    const got: BusMessage[] = [];
    const bus = await attach();
    await bus.listen(id, (message) => got.push(message));
    await Promise.all(sessions.map((session) => bus.follow(session)));
    return { bus, got };
  }

  describe(`${name} as a hub bus`, () => {
    it('publishes to all other replicas, or to those that follow a session, and counts them', async () => {
      const attach = open();
      const [one, two, three] = [
        await replica('r1', attach, firstSession),
        await replica('r2', attach, firstSession),
        await replica('r3', attach, firstSession),
      ];
      // The count is unknown while primaries change.
      expect([2, Infinity]).toContain(await one.bus.publishCounted(word(firstSession, 'x')));
      expect(await one.bus.publishCounted(word(firstSession, 'y'))).toBe(2);
      const published = ['x', 'y'].map((id) => word(firstSession, id));
      await vi.waitFor(() => expect([two.got, three.got]).toEqual([published, published]), SOON);
      await one.bus.broadcast(withdrawal('x'));
      for (const { got } of [two, three]) await vi.waitFor(() => expect(got[2]).toEqual(withdrawal('x')), SOON);
      expect(one.got).toEqual([]);
    });

    it('publishes nothing to replicas that do not follow the session, or no longer', async () => {
      const attach = open();
      const [one, two, three] = [
        await replica('f1', attach),
        await replica('f2', attach, 'f-a', 'f-b'),
        await replica('f3', attach, 'f-b', 'f-b'),
      ];
      expect([await one.bus.publishCounted(word('f-a', '1')), await one.bus.publishCounted(word('f-b', '2'))]).toEqual([
        1, 2,
      ]);
      expect(await two.bus.publishCounted(word('f-b', '3'))).toBe(1);
      const of = ({ got }: typeof two) => got.map((message) => ('memberId' in message ? message.memberId : ''));
      await vi.waitFor(() => expect(of(three)).toEqual(['2', '3']), SOON);
      three.bus.unfollow('f-b');
      three.bus.unfollow('f-b');
      three.bus.unfollow('f-none');
      await vi.waitFor(async () => expect(await two.bus.publishCounted(word('f-b', 'again'))).toBe(0), SOON);
      expect(await one.bus.publishCounted(word('f-b', '4'))).toBe(1);
      await one.bus.broadcast(withdrawal('last'));
      await vi.waitFor(() => expect(of(two)).toHaveLength(4), SOON);
      expect(of(two).toSorted()).toEqual(['1', '2', '4', 'm']);
      await vi.waitFor(() => expect(of(three).includes('m')).toBe(true), SOON);
      expect(
        of(three)
          .filter((id) => id !== 'again')
          .toSorted(),
      ).toEqual(['2', '3', 'm']);
    });

    it('delivers every message after a subscription, also after a recent unsubscription', async () => {
      const attach = open();
      const [one, two] = [await replica('h1', attach), await replica('h2', attach)];
      const sessions = Array.from({ length: 20 }, (_, at) => `h-${at}`);
      await Promise.all(
        sessions.map(async (session, at) => {
          await two.bus.follow(session);
          if (at % 2 === 0) {
            two.bus.unfollow(session);
            await two.bus.follow(session);
          }
          expect(await one.bus.publishCounted(word(session, session))).toBe(1);
        }),
      );
      const got = () => two.got.map((message) => ('sessionId' in message ? message.sessionId : ''));
      await vi.waitFor(() => expect(got().toSorted()).toEqual(sessions.toSorted()), SOON);
    });

    it('sends to one replica', async () => {
      const attach = open();
      const [one, two, three] = [await replica('s1', attach), await replica('s2', attach), await replica('s3', attach)];
      await one.bus.send('s2', withdrawal('x'));
      await one.bus.broadcast(withdrawal('last'));
      await vi.waitFor(() => expect(three.got).toEqual([withdrawal('last')]), SOON);
      await vi.waitFor(() => expect(two.got).toHaveLength(2), SOON);
    });

    it('preserves the order per sender, and message texts', async () => {
      const attach = open();
      const [one, two] = [await replica('t1', attach), await replica('t2', attach, 't-a')];
      const ids = Array.from({ length: 50 }, (_, index) => `${index} é \u2028 "quoted"`);
      await Promise.all(ids.map((id) => one.bus.publish(word('t-a', id))));
      await vi.waitFor(() => expect(two.got).toEqual(ids.map((id) => word('t-a', id))), SOON);
      await Promise.all(ids.map((id) => one.bus.broadcast(withdrawal(id))));
      await vi.waitFor(() => expect(two.got.slice(50)).toEqual(ids.map(withdrawal)), SOON);
    });
  });
}
