import { execFile } from 'node:child_process';
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
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifestIn, pack } from '../checks/packing.mjs';
import { repositoryRoot } from '../checks/project-files.mjs';
import { sha256Of } from './digest.mjs';
import { loopbackRegistry } from './loopback-registry.mjs';
import { publishArchive } from './publish.mjs';

const run = promisify(execFile);
const place = mkdtempSync(join(tmpdir(), 'release-'));
const { name, version } = manifestIn(join(repositoryRoot, 'packages/crypto'));
let loopback: Awaited<ReturnType<typeof loopbackRegistry>>;

beforeAll(async () => {
  loopback = await loopbackRegistry();
  writeFileSync(join(place, 'npmrc'), loopback.npmrc);
});
afterAll(async () => {
  await loopback.close();
  rmSync(place, { recursive: true });
});

/**
 * Builds and packs a copy of `packages/crypto` somewhere.
 * @param at - a name of a folder
 * @param more - is put behind one of its sources
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
  // Silent, as everything is below a silent `npm run`.
  const env = () => ({
    ...process.env,
    NPM_CONFIG_USERCONFIG: join(place, 'npmrc'),
    npm_config_registry: loopback.address,
    npm_config_loglevel: 'silent',
  });
  const release = () => ({ name, version, env: env() });
  beforeAll(async () => {
    archive = await builtAt('first');
  });

  it('is the same byte for byte when it is built again elsewhere, and another when a source is', async () => {
    const again = await builtAt('a-second-and-longer-place');
    expect(sha256Of(readFileSync(again))).toBe(sha256Of(readFileSync(archive)));
    const other = await builtAt('other', "\nexport const other = 'other';\n");
    expect(sha256Of(readFileSync(other))).not.toBe(sha256Of(readFileSync(archive)));
    await publishArchive(archive, release());
    await expect(publishArchive(other, release())).rejects.toThrow('published with other bytes');
  });

  it('is published once, and is what an installer gets', async () => {
    expect(await publishArchive(archive, release())).toBe('there already');
    const app = join(place, 'app');
    mkdirSync(app);
    writeFileSync(join(app, 'package.json'), '{"private":true,"type":"module"}');
    const install = ['install', '--no-audit', '--no-fund', '--cache', join(place, 'cache'), `${name}@${version}`];
    // The registry answers in this process, so nothing here may wait for npm by standing still.
    await run('npm', install, { cwd: app, env: env(), shell: process.platform === 'win32' });
    const use = "import { sha256 } from '@mlango/crypto/hashing'; console.log(typeof sha256);";
    const said = await run(process.execPath, ['--input-type=module', '-e', use], { cwd: app });
    expect(said.stdout.trim()).toBe('function');
  });
});
