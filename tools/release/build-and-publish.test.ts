import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { manifestIn, pack } from '../checks/packing.mjs';
import { repositoryRoot } from '../checks/project-files.mjs';
import { publishArchive, reasonsNotToRelease } from './build-and-publish.mjs';
import { loopbackRegistry } from './loopback-registry.mjs';

const run = promisify(execFile);
const place = mkdtempSync(join(tmpdir(), 'release-'));
const { name, version } = manifestIn(join(repositoryRoot, 'packages/crypto'));
let loopback: Awaited<ReturnType<typeof loopbackRegistry>>;

beforeAll(async () => {
  loopback = await loopbackRegistry();
  writeFileSync(join(place, 'npmrc'), loopback.npmrc);
});
afterAll(() => {
  loopback.close();
  rmSync(place, { recursive: true });
});

const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/**
 * Builds and packs a copy of `packages/crypto`.
 * @param at - the name of its folder
 * @param more - is appended to one of its sources
 */
async function builtAt(at: string, more = ''): Promise<string> {
  const folder = join(place, at, 'packages/crypto');
  mkdirSync(folder, { recursive: true });
  for (const file of ['tsconfig.base.json', 'pnpm-workspace.yaml', 'package.json']) {
    cpSync(join(repositoryRoot, file), join(place, at, file));
  }
  for (const part of ['src', 'package.json', 'README.md', 'tsconfig.build.json', 'vectors']) {
    cpSync(join(repositoryRoot, 'packages/crypto', part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(repositoryRoot, 'packages/crypto/node_modules'), join(folder, 'node_modules'));
  symlinkSync(join(repositoryRoot, 'node_modules'), join(place, at, 'node_modules'));
  appendFileSync(join(folder, 'src/hashing.ts'), more);
  const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [compiler, '-b', 'tsconfig.build.json'], { cwd: folder });
  const out = join(place, at, 'out');
  mkdirSync(out);
  return pack(relative(repositoryRoot, folder), out);
}

describe('a released package', () => {
  let archive: string;
  // As below a silent `npm run`.
  const env = () => ({
    ...process.env,
    NPM_CONFIG_USERCONFIG: join(place, 'npmrc'),
    npm_config_loglevel: 'silent',
  });
  const release = () => ({ name, version, env: env() });
  beforeAll(async () => {
    archive = await builtAt('first');
  });

  it('has the same bytes if built again in another folder, and other bytes are refused', async () => {
    const again = await builtAt('a-second-and-longer-place');
    expect(digestOf(again)).toBe(digestOf(archive));
    const other = await builtAt('other', "\nexport const other = 'other';\n");
    expect(digestOf(other)).not.toBe(digestOf(archive));
    await publishArchive(archive, release());
    await expect(publishArchive(other, release())).rejects.toThrow('published with other bytes');
  });

  it('is published once, and npm installs it', async () => {
    expect(await publishArchive(archive, release())).toBe('already published');
    const app = join(place, 'app');
    mkdirSync(app);
    writeFileSync(join(app, 'package.json'), '{"private":true,"type":"module"}');
    const install = ['install', '--no-audit', '--no-fund', '--cache', join(place, 'cache'), `${name}@${version}`];
    // Not with `execFileSync`: the registry answers in this process.
    await run('npm', install, { cwd: app, env: env(), shell: process.platform === 'win32' });
    const use = "import { sha256 } from '@mlango/crypto/hashing'; console.log(typeof sha256);";
    const used = await run(process.execPath, ['--input-type=module', '-e', use], { cwd: app });
    expect(used.stdout.trim()).toBe('function');
  });
});

describe('reasonsNotToRelease', () => {
  const clone = join(place, 'clone');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: clone,
      stdio: 'pipe',
    });
  const write = (file: string, text: string) => writeFileSync(join(clone, file), text);
  const commit = () => {
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'a');
  };
  beforeEach(() => {
    rmSync(clone, { recursive: true, force: true });
    mkdirSync(join(clone, '.changeset'), { recursive: true });
    write('.changeset/config.json', '{}');
    write('package.json', '{"name":"a","version":"0.3.0"}');
    write('CHANGELOG.md', '# Changelog\n\n## 0.3.0 - 2026-02-01\n\n- New.\n');
    git('init', '--quiet');
    commit();
  });

  it('is empty for a released commit, tagged or not', () => {
    expect(reasonsNotToRelease(clone)).toEqual([]);
    git('tag', '--annotate', 'v0.3.0', '--message', 'a');
    expect(reasonsNotToRelease(clone)).toEqual([]);
  });

  it.each([
    ['a changeset', () => write('.changeset/one.md', ''), '1 changesets'],
    ['a version without a section in the changelog', () => write('CHANGELOG.md', '# Changelog\n'), 'CHANGELOG.md'],
    ['the tag of another commit', () => git('tag', 'v0.3.0'), 'another commit'],
  ])('names %s', (_case, change, reason) => {
    change();
    commit();
    expect(reasonsNotToRelease(clone)).toEqual([expect.stringContaining(reason)]);
  });

  it('names uncommitted changes', () => {
    write('package.json', '{"version":"0.3.0"}');
    expect(reasonsNotToRelease(clone)).toEqual([expect.stringContaining('uncommitted')]);
  });
});
