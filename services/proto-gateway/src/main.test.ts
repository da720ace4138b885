import { fileURLToPath } from 'node:url';
import { type MockNode, startMockNode } from '@mlango/mock-node/server';
import { endPrograms, runProgram } from '@mlango/test-services/program';
import { afterEach, describe, expect, it, vi } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const folder = fileURLToPath(new URL('..', import.meta.url));
/** A busy machine may take its time; nothing here waits longer than it must. */
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

/** The service as it is deployed and was built, configured by its environment alone. */
function start(env: Record<string, string>, ...args: string[]) {
  const program = runProgram([main, ...args], {
    env: { NODE_ENV: 'test', PORT: '0', DRAIN_DELAY_MS: '50', ...env },
    cwd: folder,
  });
  return { ...program, base: () => program.says(/(http:\/\/[0-9.]+:[0-9]+)/) };
}

describe('the process', { timeout: 60_000 }, () => {
  it('serves queries, and on SIGTERM ends what runs and exits with 0', async () => {
    const node = await startNode();
    const { child, exit, base } = start({ GRPC_TARGETS: node.address });
    const url = await base();
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await fetch(`${url}/proto/token/params`)).status).toBe(200);
    const slow = fetch(`${url}/proto/token/params`, { headers: { 'grpc-metadata-x-mock-fault': 'delay-400' } });
    await vi.waitFor(() => expect(node.callsOf('/ixo.token.v1beta1.Query/Params')).toBe(2), patient);
    child.kill('SIGTERM');
    expect((await slow).status).toBe(200);
    expect(await exit).toBe(0);
  });

  it('answers 503 with code 14 while the node is away, and recovers by itself', async () => {
    const first = await startNode();
    const { base } = start({ GRPC_TARGETS: first.address });
    const url = await base();
    expect((await fetch(`${url}/proto/token/params`)).status).toBe(200);
    await first.close();
    await vi.waitFor(async () => {
      const reply = await fetch(`${url}/proto/token/params`);
      expect([reply.status, await reply.json()]).toEqual([
        503,
        { code: 14, message: 'The chain node is not available', details: [] },
      ]);
    }, patient);
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    await startNode(first.port);
    await vi.waitFor(async () => expect((await fetch(`${url}/proto/token/params`)).status).toBe(200), patient);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });

  it('goes on with the other node when one is killed', async () => {
    const [one, two] = [await startNode(), await startNode()];
    const { base } = start({ GRPC_TARGETS: `${one.address},${two.address}` });
    const url = await base();
    await fetch(`${url}/proto/token/params`);
    await one.close();
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await fetch(`${url}/proto/token/params`)).status),
    );
    expect(statuses).toEqual(Array(10).fill(200));
  });

  it('does not start on a command, of which there is none', async () => {
    const { exit, output } = start({}, 'migrate');
    expect(await exit).toBe(2);
    expect(output()).toContain('There is no command "migrate"');
  });

  it('does not start on settings that are wrong, and names each variable', async () => {
    const { exit, output } = start({ GATEWAY_AUTH: 'api-key', GRPC_TARGETS: 'x', PROTO_PREFIX: 'docs' });
    expect(await exit).toBe(78);
    for (const variable of ['GATEWAY_API_KEYS', 'GRPC_TARGETS', 'PROTO_PREFIX']) {
      expect(output()).toContain(`${variable}: `);
    }
  });

  it.each([
    ['PROTO_DESCRIPTOR_SET', '/nowhere.binpb'],
    ['PROTO_DESCRIPTOR_SET', main],
    ['PROTO_DISABLED_METHODS', 'ixo.token.v1beta1.Query/Parms'],
  ])('does not start with %s=%s, which leads nowhere', async (variable, value) => {
    const { exit, output } = start({ [variable]: value });
    expect(await exit).toBe(78);
    expect(output()).toContain(`${variable}: `);
  });
});
