import { describe, expect, it } from 'vitest';
import { flameGraph } from './flame-graph.js';
import { type CpuProfile, foldProfile } from './fold-profile.js';

const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 0 });
const profile: CpuProfile = {
  startTime: 1000,
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 4] },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('parse', 'file:///repo/services/a/dist/parse.js'), children: [5] },
    { id: 4, callFrame: frame('parse', 'file:///repo/services/a/dist/parse.js') },
    { id: 5, callFrame: frame('<b>') },
  ],
  samples: [5, 2, 3, 4, 5],
  timeDeltas: [0, 10, 10, 10, 10],
};

describe('a profile', () => {
  it('becomes a tree of calls with their times, without what was before and without waiting', () => {
    expect(foldProfile(profile, 1005)).toEqual({
      name: 'all',
      us: 20,
      calls: [{ name: 'parse services/a/dist/parse.js:1', us: 20, calls: [{ name: '<b>', us: 0, calls: [] }] }],
    });
  });

  it('is a page of its own, in which a name cannot end its script', () => {
    const page = flameGraph('</script> of hops', foldProfile(profile, 0));
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    expect(page).toContain('\\u003cb>');
    expect(page).not.toMatch(/(?:src|href)=/);
  });
});
