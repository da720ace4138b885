import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ListeningProgram, startBuilt } from '@mlango/test-services/program';

const run = promisify(execFile);

function environment(env: Record<string, string>): Record<string, string> {
  return { HOME: process.env['HOME'] ?? '', ...env };
}

export interface ServiceProcess extends ListeningProgram {
  readonly base: string;
}

/** Starts the built service as a separate process on a free port, and waits until it listens. */
export async function startService(env: Record<string, string>): Promise<ServiceProcess> {
  const settings = environment({ PORT: '0', DRAIN_DELAY_MS: '0', ...env });
  const program = await startBuilt('services/oracle-api/dist/main.js', settings, /(http:\/\/127\.0\.0\.1:\d+)/);
  return { ...program, base: program.address };
}

/** The command that runs a script of the built service. */
export function commandOf(name: 'main' | 'dev-token'): [string, ...string[]] {
  return [process.execPath, fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url))];
}

/** Runs a script of the built service to its end; rejects with `code` and `stderr` if it fails. */
export function runScript(name: 'main' | 'dev-token', env: Record<string, string>) {
  return runCommand(commandOf(name), env);
}

/** Runs a command to its end with the variables of a service; rejects with `code` and `stderr` if it fails. */
export function runCommand([program, ...args]: [string, ...string[]], env: Record<string, string>) {
  return run(program, args, {
    // A command that does not exit is killed.
    timeout: 45_000,
    env: { PATH: process.env['PATH'], ...environment(env) },
  });
}

/** Result of a start that must fail. */
export async function failureOf(work: Promise<unknown>): Promise<{ code: number; stderr: string; stdout: string }> {
  return work.then(
    () => Promise.reject(new Error('it started')),
    (error: unknown) => error as { code: number; stderr: string; stdout: string },
  );
}
