import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifestIn, PUBLISHED } from '../checks/packing.mjs';
import { repositoryRoot } from '../checks/project-files.mjs';
import { HAVE_VERSION, withRelease } from './version.mjs';

describe('withRelease', () => {
  const changesets = [{ summary: 'Adds one.\nCosts $& nothing.\n' }, { summary: 'Fixes two.' }];
  const section = '## 0.3.0 - 2026-02-01\n\n- Adds one.\n  Costs $& nothing.\n- Fixes two.\n\n';

  it('adds the changesets above earlier releases', () => {
    const before = '# Changelog\n\n## 0.2.0 - 2026-01-01\n\n- Old.\n';
    expect(withRelease(before, '0.3.0 - 2026-02-01', changesets)).toBe(
      `# Changelog\n\n${section}## 0.2.0 - 2026-01-01\n\n- Old.\n`,
    );
  });

  it('adds a first release', () => {
    expect(withRelease('# Changelog\n\n', '0.3.0 - 2026-02-01', changesets)).toBe(`# Changelog\n\n${section}`);
  });
});

describe('the version of the repository', () => {
  const { version } = manifestIn(repositoryRoot);
  const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');

  it.each(PUBLISHED)('is that of %s', (folder) => {
    expect(manifestIn(join(repositoryRoot, folder)).version).toBe(version);
  });

  it.each(HAVE_VERSION)('is in %s', (file) => expect(read(file)).toContain(version));

  it('is supported by SECURITY.md', () => {
    expect(read('SECURITY.md')).toContain(`\n| ${version.replace(/\d+$/, 'x')} | yes |\n`);
  });
});
