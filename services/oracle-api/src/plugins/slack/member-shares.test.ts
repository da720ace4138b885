import { memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { describe, expect, it } from 'vitest';
import { MemberShares } from './member-shares.js';

function setUp(perMinute: number) {
  let time = 0;
  const shares = new MemberShares({ perMinute, counts: memoryRateLimitStore({ now: () => time }) });
  const pass = (ms: number) => {
    time += ms;
  };
  return { shares, pass };
}

describe('the share of a member', () => {
  it('is a number of messages a minute; the first message above it gets one notice', async () => {
    const { shares, pass } = setUp(2);
    const take = async () => {
      const share = await shares.take('asha', true);
      return share.kind === 'granted' || share.isNotified ? share.kind : 'notified';
    };
    const first = [await take(), await take(), await take(), await take()];
    expect(first).toEqual(['granted', 'granted', 'notified', 'refused']);
    pass(60_000);
    expect(await take()).toBe('granted');
  });

  it('is also used up by a message without a permit', async () => {
    const { shares } = setUp(1);
    expect((await shares.take('asha', false)).kind).toBe('refused');
    expect((await shares.take('bo', true)).kind).toBe('granted');
    expect((await shares.take('asha', true)).kind).toBe('refused');
  });
});
