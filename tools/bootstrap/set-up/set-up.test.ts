import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolEnv } from '../process/tool-env.mjs';
import { repositoryRoot } from '../repository.mjs';
import { setUp } from './set-up.mjs';

let place: string;

beforeAll(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'mlango-set-up-')));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** A small repository: its own packages alone, with the pinned pnpm, turbo and the settings of this one. */
function makeRepository(root: string): void {
  const write = (file: string, content: object | string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const settings = readFileSync(join(repositoryRoot, 'pnpm-workspace.yaml'), 'utf8').split('\n');
  const kept = settings.filter((line) => /^(pmOnFail|verifyDepsBeforeRun):/.test(line));
  write('pnpm-workspace.yaml', ['packages:', '  - packages/*', ...kept, ''].join('\n'));
  const { packageManager } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));
  const turbo = `link:${join(repositoryRoot, 'node_modules/turbo')}`;
  write('package.json', { name: 'small', private: true, packageManager, devDependencies: { turbo } });
  write('turbo.json', { tasks: { build: { dependsOn: ['^build'], outputs: ['dist/**'] } } });
  write('.gitignore', 'node_modules\ndist\n.turbo\n');
  const build = `node -e "fs.mkdirSync('dist', { recursive: true }); fs.writeFileSync('dist/built', process.cwd())"`;
  const manifest = { version: '1.0.0', scripts: { build } };
  for (const name of ['one', 'two', 'three']) {
    const dependencies = name === 'one' ? {} : { one: 'workspace:*' };
    write(`packages/${name}/package.json`, { name, ...manifest, dependencies });
  }
  cpSync(join(repositoryRoot, 'tools/pnpm/package.json'), join(root, 'tools/pnpm/package.json'));
  cpSync(join(repositoryRoot, 'tools/pnpm/node_modules'), join(root, 'tools/pnpm/node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  execFileSync(pnpmOf(root), ['install', '--lockfile-only', '--offline'], {
    cwd: root,
    env: envOf(root),
    stdio: 'pipe',
  });
}

function pnpmOf(root: string): string {
  return join(root, 'tools/pnpm/node_modules/pnpm', process.platform === 'win32' ? 'pnpm.exe' : 'pnpm');
}

function envOf(root: string): NodeJS.ProcessEnv {
  return toolEnv(process.env, root);
}

/** Runs the set-up; returns its output. */
async function said(root: string): Promise<string> {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  await setUp({ root, env: process.env, write });
  return text;
}

/** The record, with its time, that pnpm writes to the root at each install. */
function lastInstall(root: string): string {
  return readFileSync(join(root, 'node_modules/.pnpm-workspace-state-v1.json'), 'utf8');
}

async function build(root: string): Promise<number> {
  const turbo = join(root, 'node_modules/turbo/bin/turbo');
  const child = spawn(process.execPath, [turbo, 'run', 'build', '--force'], {
    cwd: root,
    env: envOf(root),
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'close')) as [number];
  return code;
}

describe('the set-up', () => {
  it('sets up a copied or moved checkout at the first try, without references to the old place', async () => {
    const first = join(place, 'first');
    makeRepository(first);
    expect(await said(first)).toContain('✓ install packages');

    const second = join(place, 'second');
    cpSync(first, second, { recursive: true, verbatimSymlinks: true });
    rmSync(first, { recursive: true });
    expect(await said(second)).toContain('✓ install packages');
    expect(await build(second)).toBe(0);
    expect(readFileSync(join(second, 'packages/two/dist/built'), 'utf8')).toBe(join(second, 'packages/two'));
    expect(filesWith(first, join(second, 'node_modules'))).toEqual([]);
  }, 120_000);

  it('is the only installer: parallel builds leave a changed manifest to it', async () => {
    const root = join(place, 'parallel');
    makeRepository(root);
    await said(root);
    const manifest = join(root, 'packages/two/package.json');
    const changed = {
      ...JSON.parse(readFileSync(manifest, 'utf8')),
      dependencies: {},
      devDependencies: { one: 'workspace:*' },
    };
    writeFileSync(manifest, JSON.stringify(changed));
    const before = lastInstall(root);
    expect(await Promise.all([build(root), build(root), build(root)])).toEqual([0, 0, 0]);
    expect(lastInstall(root)).toBe(before);
  }, 120_000);
});

/** The files of a folder that contain a text, except those of packages. */
function filesWith(text: string, folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.bootstrap'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, 'utf8').includes(text));
}
