import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endPrograms, listensAtUrl, type Program, runProgram } from '@mlango/test-services/program';
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

/** An unavailable database: these tests need none, and the embedded one takes seconds to start. */
export const noDatabase = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };

const folders: string[] = [];

/** Starts the built service on a free port; resolves once it listens. Needs `pnpm build` before. */
export async function startService(
  env: Readonly<Record<string, string>> = {},
  nodeArgs: readonly string[] = [],
): Promise<ServiceProcess> {
  const program = launch(env, nodeArgs);
  const base = await program.says(listensAtUrl);
  return {
    base,
    hop: (text, change = {}) => postHop(base, text, change),
    get: async (path) => {
      const reply = await fetch(`${base}${path}`);
      return { status: reply.status, body: await reply.json() };
    },
    end: (signal) => program.end(signal),
    output: program.output,
  };
}

/** Runs a service that is expected to exit. */
export async function runToExit(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<{ code: number | null; output: string }> {
  const { exit, output } = launch(env, [], args);
  return { code: await exit, output: output() };
}

function launch(
  env: Readonly<Record<string, string>>,
  nodeArgs: readonly string[],
  args: readonly string[] = [],
): Program {
  if (!existsSync(main)) throw new Error('dist/main.js is missing: run "pnpm build" first');
  const folder = mkdtempSync(join(tmpdir(), 'ussd-gateway-'));
  folders.push(folder);
  return runProgram([...nodeArgs, main, ...args], {
    cwd: folder,
    env: { PORT: '0', DRAIN_DELAY_MS: '50', RATE_LIMIT_MAX: '1000000', ...env },
  });
}

/** Kills the remaining processes of a test file, and removes its folders. */
export async function endServices(): Promise<void> {
  await endPrograms();
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
