import { describe, expect, it } from 'vitest';
import { keysOf, placeKeyOf, shardCount } from './redis-session-keys.js';

const sessionId = 'ATUid_1';

describe('keys of sessions', () => {
  it('spread numbers that follow each other evenly over all shards', () => {
    const shares = new Map<string, number>();
    for (let index = 0; index < 16_000; index++) {
      const { live } = keysOf({ phoneNumber: `+26097${1_000_000 + index}`, sessionId });
      shares.set(live, (shares.get(live) ?? 0) + 1);
    }
    expect(shares.size).toBe(shardCount);
    for (const share of shares.values()) expect(Math.abs(share - 1000)).toBeLessThan(300);
  });

  it('are the same in every process and release: what is stored must be found again', () => {
    const { session, lock, live } = keysOf({ phoneNumber: '+260971230567', sessionId });
    expect([session, lock, live, placeKeyOf('+260971230567', '*384#')]).toMatchInlineSnapshot(`
      [
        "ussd:{14}:session:729696400573c2ca2b1a3746c2acf3ae",
        "ussd:{14}:lock:729696400573c2ca2b1a3746c2acf3ae",
        "ussd:{14}:live",
        "ussd:{14}:place:85df1ef40d8b65547f025c5e942dc82d",
      ]
    `);
  });

  it('tell sessions with one id apart by their numbers, and name their owner in one length', () => {
    const [one, other] = ['+260971230567', '+260971230568'].map((phoneNumber) => keysOf({ phoneNumber, sessionId }));
    expect(one?.owner).not.toBe(other?.owner);
    expect(one?.owner.length).toBe(keysOf({ phoneNumber: '+10000001', sessionId: 's'.repeat(100) }).owner.length);
  });
});
