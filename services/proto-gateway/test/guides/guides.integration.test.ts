import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { guideBlocks } from '@mlango/test-services/guide-blocks';
import { endPrograms, startBuilt, startNodeProgram } from '@mlango/test-services/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
/** The first block starts the node and the gateway, here on other ports. */
const [start, install, ...steps] = guideBlocks('connect-and-grpc-web');

describe('the guide to Connect and gRPC-Web, followed in an empty folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'connect-guide-'));
  const clients = join(folder, 'chain-client');
  const run = async (commands: string, cwd: string) =>
    (await promisify(execFile)('sh', ['-ec', commands], { cwd, timeout: 120_000 })).stdout;
  let url: string;

  beforeAll(async () => {
    const node = await startNodeProgram();
    const settings = { PORT: '0', GRPC_TARGETS: node.address };
    url = (await startBuilt('services/proto-gateway/dist/main.js', settings)).address;
    mkdirSync(join(folder, 'repository'));
    symlinkSync(join(root, 'proto'), join(folder, 'repository/proto'));
  }, 120_000);
  afterAll(async () => {
    await endPrograms();
    rmSync(folder, { recursive: true, force: true });
  });

  it('starts the programs of this repository, and installs the clients', { timeout: 180_000 }, async () => {
    expect(start?.text).toContain('node services/proto-gateway/dist/main.js');
    expect(steps.flatMap(({ file }) => file ?? [])).toEqual(['entity.mjs', 'claim.mjs', 'params.mjs']);
    await run(install?.text ?? '', join(folder, 'repository'));
  });

  it.each(steps)('step %# of the guide works', { timeout: 120_000 }, async ({ file, text }) => {
    const local = text.replaceAll('http://127.0.0.1:3002', url);
    if (file !== undefined) return writeFileSync(join(clients, file), local);
    const expected = /^# (.+?)( …)?$/m.exec(text)?.[1];
    expect((await run(local, clients)).trim()).toContain(expected);
  });
});

describe('the guide to API keys', () => {
  const [make = '', query = ''] = guideBlocks('api-keys').flatMap(({ language, text }) =>
    language === 'sh' ? text : [],
  );
  afterAll(endPrograms);

  it('makes a key with which the query gateway answers, and refuses others', { timeout: 120_000 }, async () => {
    const { key, entry } = JSON.parse((await promisify(execFile)('sh', ['-ec', make], { cwd: root })).stdout);
    const node = await startNodeProgram();
    const settings = { PORT: '0', GRPC_TARGETS: node.address, GATEWAY_AUTH: 'api-key', GATEWAY_API_KEYS: entry };
    const { address } = await startBuilt('services/proto-gateway/dist/main.js', settings);
    const send = async (CHAIN_KEY: string) => {
      const commands = query.replaceAll('http://127.0.0.1:3002', address);
      const env = { ...process.env, CHAIN_KEY };
      return (await promisify(execFile)('sh', ['-ec', commands], { env })).stdout.trim();
    };
    expect(await send(key)).toBe(/^# (.+)$/m.exec(query)?.[1]);
    expect(await send('a-wrong-key')).toContain('"code":7');
    expect((await fetch(`${address}/proto/token/params`)).status).toBe(401);
  });
});
