import { describe, expect, it } from 'vitest';
import { keysOf, resumePointKeyOf, sameIdKeyOf, shardCount } from './redis-session-keys.js';

const sessionId = 'ATUid_1';

describe('keys of sessions', () => {
  it('spread consecutive numbers evenly over all shards', () => {
    const shares = new Map<string, number>();
    for (let index = 0; index < 16_000; index++) {
      const { live } = keysOf({ aggregator: 'canonical', phoneNumber: `+26097${1_000_000 + index}`, sessionId });
      shares.set(live, (shares.get(live) ?? 0) + 1);
    }
    expect(shares.size).toBe(shardCount);
    for (const share of shares.values()) expect(Math.abs(share - 1000)).toBeLessThan(300);
  });

  it('are the same in every process and release', () => {
    const key = { aggregator: 'canonical', phoneNumber: '+260971230567', sessionId };
    const { session, lock, live } = keysOf(key);
    expect([session, lock, live, sameIdKeyOf(key), resumePointKeyOf(key, '*384#')]).toMatchInlineSnapshot(`
      [
        "ussd:{14}:session:20ce48f1a320e3ba777c93689931923d",
        "ussd:{14}:lock:20ce48f1a320e3ba777c93689931923d",
        "ussd:{14}:live",
        "ussd:{14}:id:c0d4c92620287181556c3cada3a7ddd3",
        "ussd:{14}:place:647d1e31642007e62a301057b49a88b6",
      ]
    `);
  });

  it('differ for sessions with equal ids by their numbers, and have owners of one length', () => {
    const [one, other] = ['+260971230567', '+260971230568'].map((phoneNumber) =>
      keysOf({ aggregator: 'canonical', phoneNumber, sessionId }),
    );
    expect(one?.owner).not.toBe(other?.owner);
    expect(one?.owner.length).toBe(
      keysOf({ aggregator: 'canonical', phoneNumber: '+10000001', sessionId: 's'.repeat(100) }).owner.length,
    );
  });
});
