import { describe, expect, it } from 'vitest';
import { changesOf, withRelease } from './changelog.mjs';

const release = {
  version: '0.3.0',
  date: '2026-02-01',
  changesets: [
    { summary: 'Counts right.', releases: [{ name: '@mlango/schemas', type: 'patch' }] },
    {
      summary: 'Has a door more.\nIt costs $& nothing.',
      releases: [
        { name: '@mlango/crypto', type: 'patch' },
        { name: '@mlango/outbound', type: 'minor' },
      ],
    },
    { summary: 'Lost a door.', releases: [{ name: '@mlango/crypto', type: 'major' }] },
  ],
};

describe('withRelease', () => {
  it('puts the changesets below what was unreleased and above earlier releases, the weightiest first', () => {
    const before = '# Changelog\n\n## Unreleased\n\n### Added\n\n- By hand.\n\n## 0.2.0 - 2026-01-01\n\n- Old.\n';
    expect(withRelease(before, release)).toBe(
      [
        '# Changelog\n\n## Unreleased\n\n## 0.3.0 - 2026-02-01\n\n### Added\n\n- By hand.\n',
        '### Breaking\n\n- `crypto`: Lost a door.\n',
        '### New\n\n- `crypto`, `outbound`: Has a door more.\n  It costs $& nothing.\n',
        '### Mended\n\n- `schemas`: Counts right.\n',
        '## 0.2.0 - 2026-01-01\n\n- Old.\n',
      ].join('\n'),
    );
  });

  it('begins with the first release, and leaves room for the next', () => {
    const first = withRelease('# Changelog\n\n## Unreleased\n', {
      ...release,
      changesets: release.changesets.slice(0, 1),
    });
    const second = withRelease(first, { ...release, version: '0.3.1', changesets: release.changesets.slice(0, 1) });
    expect(second.match(/^## .*$/gm)).toEqual(['## Unreleased', '## 0.3.1 - 2026-02-01', '## 0.3.0 - 2026-02-01']);
  });

  it('does not guess where a release belongs', () => {
    expect(() => withRelease('# Changelog\n', release)).toThrow('Unreleased');
  });
});

describe('changesOf', () => {
  const changelog = withRelease('# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-01-01\n\n- Old.\n', release);

  it('is what stands under a release', () => {
    expect(changesOf(changelog, '0.2.0')).toBe('- Old.\n');
    expect(changesOf(changelog, '0.3.0')).toMatch(/^### Breaking\n[\s\S]*Counts right\.\n+$/);
  });

  it('is nothing for another', () => expect(changesOf(changelog, '0.2')).toBeUndefined());
});
