import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { vi } from 'vitest';

export interface OtherProcess {
  /** Host and port, or URL, that it says it listens on. */
  readonly address: string;
  end(signal?: NodeJS.Signals): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Starts a built program of this repository; resolves once its output says where it listens. */
export async function startOther(
  main: string,
  env: Readonly<Record<string, string>>,
  listens: RegExp,
): Promise<OtherProcess> {
  const child = spawn(process.execPath, [main], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const closed = once(child, 'close').then(() => running.delete(child));
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
  return {
    address,
    end: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await closed;
    },
  };
}

/** Kills what is left of a test file. */
export async function endOthers(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      child.kill('SIGKILL');
      await once(child, 'close');
    }),
  );
}
