import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';
import { z } from 'zod';

declare module 'vitest' {
  interface ProvidedContext {
    oracle: { readonly baseUrl: string; readonly oracleDid: string };
  }
}

const require = createRequire(import.meta.url);
const nodeFlags = ['--conditions=@mlango/source', '--import', pathToFileURL(require.resolve('tsx')).href];
const program = fileURLToPath(new URL('oracle-program.fixture.ts', import.meta.url));
const started = z.object({ baseUrl: z.string(), oracleDid: z.string() });

/** Starts the real service, with the rehearsal plugin, once for all test files: each test has users of its own. */
export default async function startSharedService(project: TestProject): Promise<() => Promise<unknown>> {
  const child = spawn(process.execPath, [...nodeFlags, program], {
    cwd: tmpdir(),
    // What the environment of the tests names is not for this service.
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const ended = exit.then(([code]) => {
    throw new Error(`the service ended with ${code} before it listened`);
  });
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string];
  ended.catch(() => undefined);
  project.provide('oracle', started.parse(JSON.parse(line)));
  return () => {
    child.kill('SIGKILL');
    return exit;
  };
}
