import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type ListeningProgram, startProgram } from '@mlango/test-services/program';

const require = createRequire(import.meta.url);
/** Runs the sources as they are, also those of the packages beside this one. */
const nodeFlags = ['--conditions=source', '--import', pathToFileURL(require.resolve('tsx')).href];
const run = promisify(execFile);

function environment(env: Record<string, string>): Record<string, string> {
  return { HOME: process.env['HOME'] ?? '', ...env };
}

function script(name: string): string {
  return fileURLToPath(new URL(`./${name}`, import.meta.url));
}

export interface ServiceProcess extends ListeningProgram {
  readonly base: string;
}

/** Starts the service as a process of its own on a free port, and waits until it listens. */
export async function startService(env: Record<string, string>): Promise<ServiceProcess> {
  const program = await startProgram([...nodeFlags, script('main.ts')], {
    env: environment({ PORT: '0', DRAIN_DELAY_MS: '0', ...env }),
    listens: /(http:\/\/127\.0\.0\.1:\d+)/,
  });
  return { ...program, base: program.address };
}

/** Runs a script of the service to its end; rejects with `code` and `stderr` when it fails. */
export function runScript(name: string, env: Record<string, string>): Promise<{ stdout: string; stderr: string }> {
  return run(process.execPath, [...nodeFlags, script(name)], {
    env: { PATH: process.env['PATH'], ...environment(env) },
  });
}
