import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { vi } from 'vitest';

const require = createRequire(import.meta.url);
/** Runs the sources as they are, also those of the packages beside this one. */
const nodeFlags = ['--conditions=source', '--import', pathToFileURL(require.resolve('tsx')).href];
const run = promisify(execFile);

/** Only what a test says: whatever else the tests' own environment names must not reach the service. */
function environment(env: Record<string, string>): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env };
}

function script(name: string): string {
  return fileURLToPath(new URL(`./${name}`, import.meta.url));
}

export interface ServiceProcess {
  readonly base: string;
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
  readonly output: () => string;
}

/** Starts the service as a process of its own on a free port, and waits until it listens. */
export async function startService(env: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [...nodeFlags, script('main.ts')], {
    env: environment({ PORT: '0', DRAIN_DELAY_MS: '0', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: unknown) => {
    output += String(chunk);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  const listening = vi.waitFor(
    () => {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
      if (address === undefined) throw new Error(`not listening: ${output}`);
      return address;
    },
    { timeout: 30_000, interval: 50 },
  );
  const ended = exit.then((code) => Promise.reject(new Error(`ended with ${code} before it listened: ${output}`)));
  ended.catch(() => undefined);
  const base = await Promise.race([listening, ended]);
  return { base, child, exit, output: () => output };
}

/** Runs a script of the service to its end; rejects with `code` and `stderr` when it fails. */
export function runScript(name: string, env: Record<string, string>): Promise<{ stdout: string; stderr: string }> {
  return run(process.execPath, [...nodeFlags, script(name)], { env: environment(env) });
}
