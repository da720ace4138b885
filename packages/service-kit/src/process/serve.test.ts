import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';

const fixture = fileURLToPath(new URL('./serve.fixture.ts', import.meta.url));
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', fixture], {
    env: { ...process.env, PORT: '0', ...env },
    cwd: dirname(fixture),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  const exit = once(child, 'exit').then(([code]) => code as number);
  const ready = vi.waitFor(
    () => {
      const address = /Server listening at (http:[^"]+)"/.exec(output)?.[1];
      if (address === undefined) throw new Error(`not listening yet: ${output}`);
      return address;
    },
    { timeout: 15_000 },
  );
  return { child, exit, ready, output: () => output };
}

describe('serve', () => {
  it('turns readiness red first, lets a request in flight finish, closes the stores last, and exits with 0', async () => {
    const { child, exit, ready, output } = start();
    const base = await ready;
    const slow = fetch(`${base}/slow`);
    await vi.waitFor(async () => expect((await fetch(`${base}/health/ready`)).status).toBe(200));
    child.kill('SIGTERM');
    await vi.waitFor(async () => expect((await fetch(`${base}/health/ready`)).status).toBe(503));
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
    expect(await (await slow).text()).toBe('slow but whole');
    expect(await exit).toBe(0);
    expect(output().indexOf('store closed')).toBeGreaterThan(output().indexOf('"route":"/slow"'));
  });

  it('gives up at the hard deadline with exit code 1', async () => {
    const { child, exit, ready } = start({ SHUTDOWN_TIMEOUT_MS: '600' });
    const hung = fetch(`${await ready}/hang`).catch(() => 'cut');
    await vi.waitFor(async () => expect((await fetch(`${await ready}/health/live`)).status).toBe(200));
    child.kill('SIGTERM');
    expect(await exit).toBe(1);
    expect(await hung).toBe('cut');
  });

  it('closes its stores and exits with 1 after a fatal error', async () => {
    const { exit, ready, output } = start();
    await fetch(`${await ready}/crash`).catch(() => undefined);
    expect(await exit).toBe(1);
    expect(output()).toContain('out of the blue');
    expect(output()).toContain('store closed');
  });

  it('names the port and the variable when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { exit, ready, output } = start({ PORT: String(port) });
    ready.catch(() => undefined);
    expect(await exit).toBe(1);
    expect(output()).toContain(`Port ${port} on 127.0.0.1 is taken. Stop what uses it, or choose another with PORT.`);
    other.close();
  });
});
