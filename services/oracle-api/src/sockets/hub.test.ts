import { describe, expect, it } from 'vitest';
import { gate } from '../models/scripted-model.fixture.js';
import { Hub } from './hub.js';
import type { HubBus } from './hub-bus.js';
import type { Member } from './member.js';

const place = { ownerDid: 'did:key:asha', sessionId: 's' };
const limits = { recoveryMs: 1_000, storedFrames: 10, storedChars: 1_000 };
const deafBus: HubBus = {
  broadcast: async () => undefined,
  publish: async () => undefined,
  publishCounted: async () => 0,
  send: async () => undefined,
  listen: async () => undefined,
  follow: async () => undefined,
  unfollow: () => undefined,
};
const frame = { event: 'tool_call', data: {}, text: '{}' };

it('fan-out buffer is bounded when the bus is slow', async () => {
  const slow = gate();
  let published = 0;
  const warnings: object[] = [];
  const hub = new Hub({
    bus: {
      ...deafBus,
      publish: async () => {
        published++;
        await slow.opened;
      },
    },
    newId: () => 'id',
    nowMs: () => 0,
    log: { warn: (fields) => warnings.push(fields) },
    limits,
  });
  const told = Array.from({ length: 1_001 }, () => hub.publish(place, [frame]));
  expect([published, warnings]).toEqual([1_000, [{ sessionId: 's' }]]);
  slow.open();
  await Promise.all(told);
  await hub.publish(place, [frame]);
  expect(published).toBe(1_001);
});

describe('the subscription of a session', () => {
  function hubOf() {
    const clock = { nowMs: 0 };
    const followed = new Set<string>();
    const confirmed = gate();
    const bus: HubBus = {
      ...deafBus,
      follow: async (sessionId) => {
        followed.add(sessionId);
        await confirmed.opened;
      },
      unfollow: (sessionId) => void followed.delete(sessionId),
    };
    const hub = new Hub({ bus, newId: () => 'id', nowMs: () => clock.nowMs, log: { warn: () => undefined }, limits });
    const lookAt = (nowMs: number) => {
      clock.nowMs = nowMs;
      hub.sweep();
      return [...followed];
    };
    return { hub, followed, confirmed, lookAt };
  }
  const member: Member = {
    id: 'm',
    did: place.ownerDid,
    sessionId: place.sessionId,
    address: 'a',
    joinedAtMs: 0,
    credentials: [],
    right: { expiresAtMs: 0, path: [] },
    send: () => undefined,
    close: () => undefined,
  };

  it('completes before a member joins', async () => {
    const { hub, confirmed } = hubOf();
    let isOpen = false;
    const opening = hub.open(place).then(() => {
      isOpen = true;
    });
    await new Promise(setImmediate);
    expect(isOpen).toBe(false);
    confirmed.open();
    await opening;
  });

  it('lasts from the first socket until no client can resume', () => {
    const { hub, followed, lookAt } = hubOf();
    void hub.open(place);
    hub.join(member);
    const other = { ...member, id: 'n' };
    hub.join(other);
    expect(lookAt(5_000)).toEqual(['s']);
    for (const each of [member, other]) hub.leave(each);
    expect([lookAt(6_000), lookAt(6_999)]).toEqual([['s'], ['s']]);
    // A client at the beginning of its admission.
    void hub.open(place);
    expect([lookAt(7_000), lookAt(7_999), lookAt(8_000)]).toEqual([['s'], ['s'], []]);
    expect(followed.size).toBe(0);
  });

  it('ends with the deletion of the session on any replica', async () => {
    const { hub, followed } = hubOf();
    hub.join(member);
    await hub.closeSession(place);
    expect([...followed]).toEqual([]);
    hub.join(member);
    expect([...followed]).toEqual(['s']);
    hub.receive({ kind: 'session_deleted', did: place.ownerDid, sessionId: 's' });
    expect([...followed]).toEqual([]);
  });
});
