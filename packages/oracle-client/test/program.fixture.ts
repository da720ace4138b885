import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';

const require = createRequire(import.meta.url);
const nodeFlags = ['--conditions=@mlango/source', '--import', pathToFileURL(require.resolve('tsx')).href];
/** Address of an oracle. */
export const oracleAddress = z.object({ baseUrl: z.string(), oracleDid: z.string() });

export interface Program<Started> {
  readonly child: ChildProcess;
  readonly started: Started;
  readonly stop: () => Promise<unknown>;
}

/** Starts a service program of this folder in its own process and waits for the JSON that it prints when it listens. */
export async function startProgram<Started>(name: string, printed: z.ZodType<Started>): Promise<Program<Started>> {
  const child = spawn(process.execPath, [...nodeFlags, fileURLToPath(new URL(name, import.meta.url))], {
    cwd: tmpdir(),
    // The service does not inherit the test's variables.
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const ended = exit.then(([code]) => {
    throw new Error(`the service ended with ${code} before it listened`);
  });
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string];
  ended.catch(() => undefined);
  const stop = () => {
    child.kill('SIGKILL');
    return exit;
  };
  return { child, started: printed.parse(JSON.parse(line)), stop };
}
