import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { QueryService } from '@mlango/proto/ixo/entity/v1beta1/query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { call, connect, reply } from '../test/call.js';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const running = new Set<ChildProcess>();

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [main], { env: { PATH: process.env['PATH'], ...env }, stdio: 'pipe' });
  running.add(child);
  const output = { out: '', error: '' };
  child.stdout.on('data', (chunk) => {
    output.out += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    output.error += String(chunk);
  });
  const exit = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return { child, output, exit };
}

async function ready(output: { out: string }): Promise<string> {
  return vi.waitFor(
    () => {
      const address = /^mock-node: gRPC on (\S+)\n$/.exec(output.out)?.[1];
      if (!address) throw new Error('not ready');
      return address;
    },
    { timeout: 15_000 },
  );
}

describe.skipIf(!existsSync(main))('the process', () => {
  it('prints one line when it is ready, and SIGINT ends it with code 0', async () => {
    const { child, output, exit } = start({ MOCK_NODE_PORT: '0' });
    const client = connect(await ready(output));
    expect((await reply(client, QueryService.entity, { id: 'did:ixo:entity:e0001' })).entity?.type).toBe('oracle');
    child.kill('SIGINT');
    expect(await exit).toBe(0);
    expect(output.error).toBe('');
    client.close();
  });

  it('answers the calls under way before SIGTERM ends it with code 0', async () => {
    const { child, output, exit } = start({ MOCK_NODE_PORT: '0' });
    const client = connect(await ready(output));
    await reply(client, QueryService.params, {});
    const slow = call(client, QueryService.entity, { id: 'did:ixo:entity:delay-300' });
    await reply(client, QueryService.params, {});
    child.kill('SIGTERM');
    expect((await slow).reply?.entity?.id).toBe('did:ixo:entity:e0001');
    expect(await exit).toBe(0);
    expect(output.error).toBe('');
    client.close();
  });

  it('on a taken port ends with code 1 and names the port and the variable', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { output, exit } = start({ MOCK_NODE_PORT: String(port) });
    expect(await exit).toBe(1);
    expect(output.error).toBe(`mock-node: port ${port} on 127.0.0.1 is taken; set MOCK_NODE_PORT to a free one\n`);
    other.close();
  });

  it('refuses an invalid port', async () => {
    const { output, exit } = start({ MOCK_NODE_PORT: 'http' });
    expect(await exit).toBe(1);
    expect(output.error).toMatch(/^mock-node: MOCK_NODE_PORT must be a port/);
  });
});
