import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startMockNode } from '@mlango/mock-node/server';
import { readDescriptorImage } from '@mlango/transcoder/descriptor-image';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelTo, testApp } from '../../test/support/test-app.js';

const require = createRequire(import.meta.url);
const definitions = dirname(require.resolve('@mlango/proto/package.json'));
const guide = readFileSync(
  fileURLToPath(new URL('../../../../docs/guides/serve-another-module.md', import.meta.url)),
  'utf8',
);
const MADE = new Set(['node_modules', 'dist', 'gen']);

let folder: string;
let fixtures: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'another-module-'));
  cpSync(definitions, folder, { recursive: true, filter: (path) => !MADE.has(path.split('/').at(-1) ?? '') });
  cpSync(join(definitions, 'dist/published'), join(folder, 'dist/published'), { recursive: true });
  await mkdir(join(folder, 'cosmos/nft/v1beta1'), { recursive: true });
  const [, proto = ''] = /```proto\n([\s\S]*?)```/.exec(guide) ?? [];
  writeFileSync(join(folder, 'cosmos/nft/v1beta1/query.proto'), proto);
  const [, fixture = ''] = /```json\n([\s\S]*?)```/.exec(guide) ?? [];
  fixtures = mkdtempSync(join(tmpdir(), 'another-module-fixtures-'));
  writeFileSync(join(fixtures, 'cosmos.nft.v1beta1.Query.json'), fixture);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(fixtures, { recursive: true });
});

describe('the guide to another module', () => {
  it('shows a file that passes the style check and is served from the moment it is built', async () => {
    buf('lint');
    buf('format', '-d', '--exit-code');
    const registry = readDescriptorImage(buf('build', '--as-file-descriptor-set', '-o', '-#format=binpb'));
    const nft = await startMockNode({ registry, fixtures: pathToFileURL(`${fixtures}/`) });
    const app = await testApp(channelTo(nft.address), { registry });
    const reply = await app.inject('/cosmos/nft/v1beta1/balance/ixo1abc/paintings');
    expect(reply.json()).toEqual({ amount: '12' });
    expect(guide).toContain(reply.body);
    expect((await app.inject('/cosmos/nft/v1beta1/balance/ixo1other/paintings')).json()).toEqual({ amount: '0' });
    expect((await app.inject('/openapi.json')).json().paths).toHaveProperty([
      '/cosmos/nft/v1beta1/balance/{owner}/{class_id}',
      'get',
    ]);
    await app.close();
    await nft.close();
  });
});

function buf(...args: string[]): Buffer {
  const cli = join(dirname(require.resolve('@bufbuild/buf/package.json')), 'bin', 'buf');
  return execFileSync(process.execPath, [cli, ...args], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
}
