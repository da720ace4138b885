import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';

export interface BuiltProcess {
  /** What the pattern caught of its output: where it listens. */
  readonly address: string;
  end(): Promise<void>;
}

/** Starts a built program of this repository (`services/x/dist/main.js`); resolves once its output says where it listens. */
export async function startBuilt(
  main: string,
  env: Readonly<Record<string, string>>,
  listens: RegExp,
): Promise<BuiltProcess> {
  const file = fileURLToPath(new URL(`../../../${main}`, import.meta.url));
  const child = spawn(process.execPath, [file], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const address = await vi.waitFor(
    () => {
      const found = listens.exec(output)?.[1];
      if (found === undefined) throw new Error(`${main} does not listen yet: ${output}`);
      return found;
    },
    { timeout: 30_000, interval: 50 },
  );
  const end = async () => {
    child.kill('SIGKILL');
    await closed;
  };
  return { address, end };
}
