import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js';
import { readDescriptorImage } from '@mlango/transcoder/descriptor-image';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelTo, testApp } from '../../test/test-app.js';

const require = createRequire(import.meta.url);
const definitions = dirname(require.resolve('@mlango/proto/package.json'));
const guide = readFileSync(
  fileURLToPath(new URL('../../../../docs/guides/serve-another-module.md', import.meta.url)),
  'utf8',
);
const MADE = new Set(['node_modules', 'dist', 'gen']);

/** Field 1, a number. */
const BALANCE = Buffer.from([0x08, 12]);

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'another-module-'));
  cpSync(definitions, folder, { recursive: true, filter: (path) => !MADE.has(path.split('/').at(-1) ?? '') });
  cpSync(join(definitions, 'dist/published'), join(folder, 'dist/published'), { recursive: true });
  await mkdir(join(folder, 'cosmos/nft/v1beta1'), { recursive: true });
  const [, proto = ''] = /```proto\n([\s\S]*?)```/.exec(guide) ?? [];
  writeFileSync(join(folder, 'cosmos/nft/v1beta1/query.proto'), proto);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the guide to another module', () => {
  it('shows a file that passes the style check and is served from the moment it is built', async () => {
    buf('lint');
    buf('format', '-d', '--exit-code');
    const registry = readDescriptorImage(buf('build', '--as-file-descriptor-set', '-o', '-#format=binpb'));
    const nft = await startNft();
    const app = await testApp(channelTo(nft.address), { registry });
    const reply = await app.inject('/cosmos/nft/v1beta1/balance/ixo1abc/paintings');
    expect(reply.json()).toEqual({ amount: '12' });
    expect(guide).toContain(reply.body);
    expect((await app.inject('/openapi.json')).json().paths).toHaveProperty([
      '/cosmos/nft/v1beta1/balance/{owner}/{class_id}',
      'get',
    ]);
    await app.close();
    nft.close();
  });
});

function buf(...args: string[]): Buffer {
  const cli = join(dirname(require.resolve('@bufbuild/buf/package.json')), 'bin', 'buf');
  return execFileSync(process.execPath, [cli, ...args], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
}

/** A node that has the module of the guide. */
async function startNft() {
  const server = new Server();
  const bytes = (message: Buffer) => message;
  const balance = {
    path: '/cosmos.nft.v1beta1.Query/Balance',
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  };
  server.addService({ balance }, { balance: (_call: unknown, done: sendUnaryData<Buffer>) => done(null, BALANCE) });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { address: `127.0.0.1:${port}`, close: () => server.forceShutdown() };
}
