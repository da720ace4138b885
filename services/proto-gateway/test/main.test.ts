import { fileURLToPath } from 'node:url';
import { type MockNode, startMockNode } from '@mlango/mock-node/server';
import { EnvError } from '@mlango/service-kit/env';
import { endPrograms, runProgram } from '@mlango/test-services/program';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../src/config.js';
import { openCatalog } from '../src/deps/open-catalog.js';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const folder = fileURLToPath(new URL('..', import.meta.url));
/** For a busy machine; no test waits longer than it must. */
const patient = { timeout: 20_000, interval: 50 };
const nodes: MockNode[] = [];
afterEach(async () => {
  await endPrograms();
  for (const node of nodes.splice(0)) await node.close();
});

async function startNode(port = 0): Promise<MockNode> {
  const node = await startMockNode({ port, drainMs: 0 });
  nodes.push(node);
  return node;
}

/** The built service, configured by its environment alone. */
function start(env: Record<string, string>, ...args: string[]) {
  const program = runProgram([main, ...args], {
    env: { NODE_ENV: 'test', PORT: '0', DRAIN_DELAY_MS: '50', ...env },
    cwd: folder,
  });
  return { ...program, base: () => program.says(/(http:\/\/[0-9.]+:[0-9]+)/) };
}

describe('the process', { timeout: 120_000 }, () => {
  it('serves queries while a node is available, answers 503 otherwise, and ends running calls on SIGTERM', async () => {
    const [one, two] = [await startNode(), await startNode()];
    const { child, exit, base } = start({ GRPC_TARGETS: `${one.address},${two.address}` });
    const url = await base();
    const query = () => fetch(`${url}/proto/token/params`);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await query()).status).toBe(200);

    await one.close();
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await query()).status));
    expect(statuses).toEqual(Array(10).fill(200));

    await two.close();
    await vi.waitFor(async () => {
      const reply = await query();
      expect([reply.status, await reply.json()]).toEqual([
        503,
        { code: 14, message: 'The chain node is not available', details: [] },
      ]);
    }, patient);
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${url}/health`)).status).toBe(200);

    const back = await startNode(two.port);
    await vi.waitFor(async () => expect((await query()).status).toBe(200), patient);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);

    const calls = back.callsOf('/ixo.token.v1beta1.Query/Params');
    const slow = fetch(`${url}/proto/token/params`, { headers: { 'grpc-metadata-x-mock-fault': 'delay-400' } });
    await vi.waitFor(() => expect(back.callsOf('/ixo.token.v1beta1.Query/Params')).toBeGreaterThan(calls), patient);
    child.kill('SIGTERM');
    expect((await slow).status).toBe(200);
    expect(await exit).toBe(0);
  });

  it('does not start with a command', async () => {
    const { exit, output } = start({}, 'migrate');
    expect(await exit).toBe(2);
    expect(output()).toContain('There is no command "migrate"');
  });

  it.each([
    [
      { GATEWAY_AUTH: 'api-key', GRPC_TARGETS: 'x', PROTO_PREFIX: 'docs' },
      ['GATEWAY_API_KEYS', 'GRPC_TARGETS', 'PROTO_PREFIX'],
    ],
    [{ PROTO_DISABLED_METHODS: 'ixo.token.v1beta1.Query/Parms' }, ['PROTO_DISABLED_METHODS']],
  ])(
    'does not start on settings that are wrong, and names each variable: %j',
    async (env: Record<string, string>, variables) => {
      const { exit, output } = start(env);
      expect(await exit).toBe(78);
      for (const variable of variables) expect(output()).toContain(`${variable}: `);
    },
  );
});

describe('descriptors that cannot be read', () => {
  it.each(['/nowhere.binpb', main])('are an error of PROTO_DESCRIPTOR_SET: %s', (file) => {
    const open = () => openCatalog(readConfig({ PROTO_DESCRIPTOR_SET: file }));
    expect(open).toThrow(EnvError);
    expect(open).toThrow('PROTO_DESCRIPTOR_SET: ');
  });
});
