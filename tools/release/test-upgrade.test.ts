import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manifestIn } from '../checks/packing.mjs';
import { repositoryRoot } from '../checks/project-files.mjs';
import { releaseBefore, releasesFile, releasesSoFar } from './test-upgrade.mjs';

let clone: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd: clone,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();
const commit = (text: string) => {
  git('commit', '--quiet', '--allow-empty', '--message', text);
  return git('rev-parse', 'HEAD');
};
const released = (...releases: { version: string; revision: string }[]) =>
  writeFileSync(join(clone, releasesFile), JSON.stringify(releases));

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'clone-'));
  mkdirSync(join(clone, 'tools/release'), { recursive: true });
  git('init', '--quiet');
});
afterEach(() => rmSync(clone, { recursive: true }));

describe('the release before', () => {
  it('is the newest release in the history other than the current commit', () => {
    const first = commit('first');
    const second = commit('second');
    released({ version: '0.1.0', revision: first }, { version: '0.2.0', revision: 'v0.2.0' });
    // A release has no tag before it is published.
    expect(releaseBefore(clone)).toEqual({ version: '0.1.0', commit: first });
    git('tag', '--annotate', 'v0.2.0', '--message', 'Release 0.2.0');
    expect(releaseBefore(clone)).toEqual({ version: '0.1.0', commit: first });
    commit('third');
    expect(releaseBefore(clone)).toEqual({ version: '0.2.0', commit: second });
  });

  it('is missing in a shallow clone', () => {
    commit('first');
    released({ version: '0.1.0', revision: '0123456789012345678901234567890123456789' });
    expect(releaseBefore(clone)).toEqual({ missing: expect.stringContaining('git fetch --unshallow --tags') });
  });

  it('is missing without git', () => {
    rmSync(join(clone, '.git'), { recursive: true });
    expect(releaseBefore(clone)).toEqual({ missing: expect.stringContaining('no clone') });
  });

  it('records each version once, the version of this tree last', () => {
    const versions = releasesSoFar().map(({ version }) => version);
    expect(versions.at(-1)).toBe(manifestIn(repositoryRoot).version);
    expect(new Set(versions).size).toBe(versions.length);
  });
});
