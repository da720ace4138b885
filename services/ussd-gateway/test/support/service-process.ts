import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { subscriber } from './test-app.js';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface ServiceProcess {
  readonly base: string;
  /** Sends one hop; resolves with its text. */
  readonly hop: (text: string, change?: Record<string, unknown>) => Promise<string>;
  readonly get: (path: string) => Promise<{ status: number; body: unknown }>;
  /** Ends it; resolves with the exit code, null after SIGKILL. */
  readonly end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<number | null>;
  readonly output: () => string;
}

/** A database that is away: nothing in these tests needs one, and the embedded one takes seconds to start. */
export const noDatabase = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };

const running = new Set<ChildProcess>();
const folders: string[] = [];

/** Starts the built service on a free port; resolves once it listens. Needs `pnpm build` before. */
export async function startService(
  env: Readonly<Record<string, string>> = {},
  nodeArgs: readonly string[] = [],
): Promise<ServiceProcess> {
  const { child, exited, output } = launch(env, nodeArgs);
  const base = await vi.waitFor(
    () => {
      const address = /Server listening at (http:\/\/127\.0\.0\.1:\d+)"/.exec(output())?.[1];
      if (address === undefined) throw new Error(`not listening yet: ${output()}`);
      return address;
    },
    { timeout: 30_000, interval: 50 },
  );
  return {
    base,
    hop: (text, change = {}) => postHop(base, text, change),
    get: async (path) => {
      const reply = await fetch(`${base}${path}`);
      return { status: reply.status, body: await reply.json() };
    },
    end: (signal) => {
      child.kill(signal);
      return exited;
    },
    output,
  };
}

/** Runs a service that is expected to end by itself. */
export async function runToExit(
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const { exited, output } = launch(env, []);
  return { code: await exited, output: output() };
}

function launch(env: Readonly<Record<string, string>>, nodeArgs: readonly string[]) {
  if (!existsSync(main)) throw new Error('dist/main.js is missing: run "pnpm build" first');
  const folder = mkdtempSync(join(tmpdir(), 'ussd-gateway-'));
  folders.push(folder);
  const child = spawn(process.execPath, [...nodeArgs, main], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: '0', DRAIN_DELAY_MS: '50', RATE_LIMIT_MAX: '1000000', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const exited = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return { child, exited, output: () => output };
}

/** Kills what is left of a test file, and removes its folders. */
export async function endServices(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      child.kill('SIGKILL');
      await once(child, 'close');
    }),
  );
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Sends one hop to a service; resolves with its text. */
export async function postHop(base: string, text: string, change: Record<string, unknown>): Promise<string> {
  const reply = await fetch(`${base}/api/ussd`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...subscriber, text, ...change }),
  });
  if (reply.status !== 200) throw new Error(`status ${reply.status}`);
  return reply.text();
}
