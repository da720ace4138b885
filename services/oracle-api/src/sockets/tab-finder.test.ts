import { describe, expect, it } from 'vitest';
import { chooseTab } from './tab-finder.js';

const offer = (memberId: string, matches: number, joinedAtMs: number) => ({ memberId, matches, joinedAtMs });

describe('the called tab', () => {
  it('is one that declared the tools, before a more recent one', () => {
    const offers = [offer('declared', 1, 1), offer('recent', 0, 9)];
    expect(chooseTab(offers)?.memberId).toBe('declared');
  });

  it('is the most recent of equals', () => {
    const offers = [offer('old', 1, 1), offer('new', 1, 3), offer('middle', 1, 2)];
    expect(chooseTab(offers)?.memberId).toBe('new');
  });

  it('is undefined without offers', () => {
    expect(chooseTab([])).toBeUndefined();
  });
});
