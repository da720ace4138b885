import { memoryRevocationStore } from '@mlango/ucan-auth/memory-revocation-store';
import { describe, expect, it } from 'vitest';
import type { Member } from './member.js';
import { Rights } from './rights.js';

const start = 1_800_000_000_000;
const limits = { graceMs: 60_000, sweepEveryMs: 500, recheckMs: 60_000 };
const shared = { cid: 'bafyshared', issuer: 'did:key:zOrg' };

/** Rights with a fixed clock that the test moves, and a store that counts queries. */
function parts() {
  const clock = { nowMs: start };
  const store = memoryRevocationStore(() => clock.nowMs / 1000);
  const asked: number[] = [];
  const state = { isUnavailable: false };
  const ended: [string, string][] = [];
  const warnings: string[] = [];
  const rights = new Rights({
    isAnyRevoked: async (path) => {
      asked.push(path.length);
      if (state.isUnavailable) throw new Error('away');
      return store.isAnyRevoked(path);
    },
    end: (member, why) => ended.push([member.id, why]),
    nowMs: () => clock.nowMs,
    log: { warn: (_fields, text) => warnings.push(text) },
    limits,
  });
  const revoke = (cid: string, issuer: string) => store.revoke({ cid, issuer, expiresAt: Number.POSITIVE_INFINITY });
  return { rights, clock, asked, state, ended, warnings, revoke };
}

function member(id: string, lifeMs = 300_000): Member {
  const path = [{ cid: `bafy${id}`, issuer: `did:key:z${id}` }, shared];
  return {
    id,
    did: `did:key:z${id}`,
    sessionId: 's',
    address: 'a',
    credentials: [],
    joinedAtMs: start,
    right: { expiresAtMs: start + lifeMs, path },
    send: () => undefined,
    close: () => undefined,
  };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => member(`m${index}`, 86_400_000));

describe('rights of sockets', () => {
  it('end at the expiry plus the grace period, to the millisecond, also after a year', async () => {
    const { rights, clock, ended } = parts();
    const yearMs = 366 * 86_400_000;
    for (const each of [member('short', 1_000), member('long', yearMs)]) rights.watch(each);
    const endedAt = async (nowMs: number) => {
      clock.nowMs = nowMs;
      await rights.sweep();
      return ended.length;
    };
    expect(await endedAt(start + 60_999)).toBe(0);
    expect(await endedAt(start + 61_000)).toBe(1);
    expect(await endedAt(start + yearMs + 59_999)).toBe(1);
    expect(await endedAt(start + yearMs + 60_000)).toBe(2);
    expect(ended).toEqual([
      ['short', 'expired'],
      ['long', 'expired'],
    ]);
  });

  it('are not queried for a revocation outside their path, from any sender', async () => {
    const { rights, asked, ended } = parts();
    const members = many(100);
    for (const each of members) rights.watch(each);
    for (const taken of [
      { cid: 'bafyother', issuer: shared.issuer },
      // A UCAN in many paths, revoked by an issuer of none.
      { cid: shared.cid, issuer: 'did:key:zMallory' },
    ]) {
      await rights.closeRevoked(taken);
    }
    expect(asked).toEqual([]);
    // A UCAN in the path of one of them, with another issuer.
    await rights.closeRevoked({ cid: shared.cid, issuer: 'did:key:zm7' });
    expect([asked, ended]).toEqual([[1], []]);
  });

  it('with a common UCAN end by one query, however many they are', async () => {
    const { rights, asked, ended, revoke } = parts();
    for (const each of many(1_000)) rights.watch(each);
    await revoke(shared.cid, shared.issuer);
    await rights.closeRevoked(shared);
    expect([asked, ended.length]).toEqual([[1], 1_000]);
    await rights.closeRevoked(shared);
    await rights.sweep();
    expect(asked).toEqual([1]);
  });

  it('of which one was revoked by its own holder do not affect others', async () => {
    const { rights, ended, revoke } = parts();
    for (const each of many(10)) rights.watch(each);
    // In the path of m7 only.
    await revoke(shared.cid, 'did:key:zm7');
    await rights.closeRevoked({ cid: shared.cid, issuer: 'did:key:zm7' });
    await rights.sweep();
    expect(ended).toEqual([['m7', 'revoked']]);
  });

  it('are checked at once, and then once a minute in batches', async () => {
    const { rights, clock, asked, ended, revoke } = parts();
    for (const each of many(500)) rights.watch(each);
    for (let count = 0; count < 5; count += 1) await rights.sweep();
    expect(asked).toEqual(Array.from({ length: 10 }, () => 100));
    clock.nowMs += 59_999;
    await rights.sweep();
    expect(asked).toHaveLength(10);
    await revoke('bafym123', 'did:key:zm123');
    clock.nowMs += 1;
    await rights.sweep();
    expect(ended).toEqual([['m123', 'revoked']]);
    // Ten queries, and two for each halving of the fifty.
    expect(asked.length).toBeLessThanOrEqual(10 + 10 + 2 * 6);
  });

  it('stay while the store is unavailable, are retried, and log one warning', async () => {
    const { rights, state, asked, ended, warnings, revoke } = parts();
    for (const each of many(3)) rights.watch(each);
    await rights.sweep();
    state.isUnavailable = true;
    await revoke(shared.cid, shared.issuer);
    await rights.closeRevoked(shared);
    for (let count = 0; count < 3; count += 1) await rights.sweep();
    expect([ended, warnings.length, asked.length]).toEqual([[], 2, 5]);
    state.isUnavailable = false;
    await rights.sweep();
    expect(ended).toHaveLength(3);
  });

  it('that are renewed during a query end with the last right', async () => {
    const { rights, ended, revoke, asked } = parts();
    const one = member('one');
    rights.watch(one);
    await revoke('bafyone', 'did:key:zone');
    const sweeping = rights.sweep();
    const fresh = { expiresAtMs: start + 900_000, path: [{ cid: 'bafyfresh', issuer: one.did }] };
    expect(rights.renew(one, fresh)).toBe(true);
    await sweeping;
    await rights.closeRevoked({ cid: 'bafyone', issuer: 'did:key:zone' });
    await rights.sweep();
    expect([ended, asked]).toEqual([[], [2, 1]]);
    await revoke('bafyfresh', one.did);
    await rights.closeRevoked({ cid: 'bafyfresh', issuer: one.did });
    expect(ended).toEqual([['one', 'revoked']]);
  });

  it('of a closed socket are not checked', async () => {
    const { rights, clock, asked, ended, revoke } = parts();
    const gone = member('gone');
    rights.watch(gone);
    rights.forget(gone);
    rights.forget(gone);
    expect(rights.renew(gone, gone.right)).toBe(false);
    await revoke(shared.cid, shared.issuer);
    await rights.closeRevoked(shared);
    clock.nowMs += 86_400_000;
    await rights.sweep();
    expect([asked, ended]).toEqual([[], []]);
  });

  it('allow a client to resume until the grace period is over, unless a token was revoked', async () => {
    const { rights, clock, state, revoke } = parts();
    const { right } = member('one');
    clock.nowMs = start + 359_999;
    expect(await rights.holds(right)).toBe(true);
    state.isUnavailable = true;
    await expect(rights.holds(right)).rejects.toThrow('away');
    clock.nowMs += 1;
    expect(await rights.holds(right)).toBe(false);
    [clock.nowMs, state.isUnavailable] = [start, false];
    await revoke(shared.cid, shared.issuer);
    expect(await rights.holds(right)).toBe(false);
  });
});
