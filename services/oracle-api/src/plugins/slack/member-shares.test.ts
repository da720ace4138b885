import { memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { describe, expect, it } from 'vitest';
import { answersAtOnce, MemberShares } from './member-shares.js';

function setUp(perMinute: number) {
  let time = 0;
  const shares = new MemberShares({ perMinute, counts: memoryRateLimitStore({ now: () => time }) });
  const pass = (ms: number) => {
    time += ms;
  };
  return { shares, pass };
}

describe('the share of a member', () => {
  it('is so many messages a minute; of what is more the member is told once', async () => {
    const { shares, pass } = setUp(2);
    const take = async () => {
      const share = await shares.take('asha');
      if (share.kind === 'granted') share.giveBack();
      return share.kind === 'granted' || share.isTold ? share.kind : 'told';
    };
    const first = [await take(), await take(), await take(), await take()];
    expect(first).toEqual(['granted', 'granted', 'told', 'refused']);
    pass(60_000);
    expect(await take()).toBe('granted');
  });

  it('is so many answers at once, each given back, and of one member alone', async () => {
    const { shares } = setUp(100);
    const taken = await Promise.all(Array.from({ length: answersAtOnce }, () => shares.take('asha')));
    expect(taken.map(({ kind }) => kind)).toEqual(Array(answersAtOnce).fill('granted'));
    expect((await shares.take('asha')).kind).toBe('refused');
    expect((await shares.take('bo')).kind).toBe('granted');
    for (const share of taken) if (share.kind === 'granted') share.giveBack();
    expect((await shares.take('asha')).kind).toBe('granted');
  });
});
