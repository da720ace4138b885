import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';

/** A busy machine may be slow. */
const patient = { timeout: 15_000, interval: 20 };
const fixture = fileURLToPath(new URL('./serve.fixture.ts', import.meta.url));
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--conditions=@mlango/source', '--import', 'tsx', fixture], {
    env: { ...process.env, PORT: '0', ...env },
    cwd: dirname(fixture),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  // Not `exit`: by `close` all of its output has arrived.
  const exit = once(child, 'close').then(([code]) => code as number);
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

/** When the line that has such a text was logged, in milliseconds since 1970. */
function timeOf(text: string, output: string): number {
  const line = output.split('\n').find((candidate) => candidate.includes(text));
  return Date.parse((JSON.parse(line ?? '{}') as { time: string }).time);
}

/** One caller on one keep-alive connection: repeats requests until one fails; returns the failure and the number of served requests. */
async function callUntilRefused(url: string): Promise<{ served: number; failure: string }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let served = 0;
  for (;;) {
    const failure = await callOnce(url, agent);
    if (failure !== undefined) return { served, failure };
    served += 1;
  }
}

function callOnce(url: string, agent: Agent): Promise<string | undefined> {
  return new Promise((resolve) => {
    get(url, { agent }, (reply) => {
      reply
        .resume()
        .on('end', () => resolve(undefined))
        .on('error', () => resolve('cut reply'));
    }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

describe('serve', () => {
  it('turns readiness red first, finishes a request in flight, closes the stores last, and exits with 0', {
    timeout: 60_000,
  }, async () => {
    // Enough time for the checks during the drain, also on a busy machine.
    const { child, exit, ready, output } = start({ DRAIN_DELAY_MS: '1500' });
    const base = await ready;
    const { hostname, port } = new URL(base);
    // As browsers do ahead of a request: such a connection must not hold the end of the process.
    const unused = connect(Number(port), hostname).on('error', () => {});
    await once(unused, 'connect');
    const slow = fetch(`${base}/slow`);
    await vi.waitFor(async () => expect((await fetch(`${base}/health/ready`)).status).toBe(200), patient);
    child.kill('SIGTERM');
    await vi.waitFor(async () => expect((await fetch(`${base}/health/ready`)).status).toBe(503), patient);
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
    expect(await (await slow).text()).toBe('slow but whole');
    expect(await exit).toBe(0);
    // By their times: request lines may be written later than others.
    expect(timeOf('"msg":"store closed"', output())).toBeGreaterThanOrEqual(timeOf('"route":"/slow"', output()));
  });

  it('resets no connection of busy callers during the shutdown', { timeout: 60_000 }, async () => {
    // On a busy machine the next request may be late.
    const { child, exit, ready } = start({ FAREWELL_MS: '1500' });
    const base = await ready;
    const ends = Array.from({ length: 20 }, () => callUntilRefused(`${base}/quick`));
    await vi.waitFor(async () => expect((await fetch(`${base}/health/ready`)).status).toBe(200), patient);
    child.kill('SIGTERM');
    const outcomes = await Promise.all(ends);
    expect(outcomes.map(({ failure }) => failure)).toEqual(outcomes.map(() => 'ECONNREFUSED'));
    expect(Math.min(...outcomes.map(({ served }) => served))).toBeGreaterThan(0);
    expect(await exit).toBe(0);
  });

  it('exits at the hard deadline with code 1', async () => {
    const { child, exit, ready } = start({ SHUTDOWN_TIMEOUT_MS: '600' });
    const hung = fetch(`${await ready}/hang`).catch(() => 'cut');
    await vi.waitFor(async () => expect((await fetch(`${await ready}/health/live`)).status).toBe(200), patient);
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

  it('closes its stores and exits with 1 when the close of the app fails', async () => {
    const { child, exit, ready, output } = start({ CLOSE_FAILS: '1' });
    await ready;
    child.kill('SIGTERM');
    expect(await exit).toBe(1);
    expect(output()).toContain('hook failed');
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
