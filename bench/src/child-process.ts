import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Child {
  readonly pid: number;
  readonly url: string;
  /** Whether it has ended, for whatever reason. */
  readonly hasEnded: boolean;
  /** SIGTERM unless another signal is named; resolves with the exit code, null after a signal that it did not take. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Where a child runs, and with what options of Node. */
export interface Placement {
  /** The processor that it keeps to. */
  readonly core?: number | undefined;
  readonly nodeOptions?: readonly string[];
}

/** A busy machine may take its time. */
const startLimitMs = 120_000;

/**
 * Starts a Node program and waits until its health answers, or until the port accepts when there is no health path.
 *
 * @param options.log a file descriptor for all that it says; without it only its errors are shown
 */
export async function startChild(
  file: string,
  options: { port: number; env?: Record<string, string>; healthPath?: string; log?: number } & Placement,
): Promise<Child> {
  const { log } = options;
  const child = spawn(...commandOf(file, options), {
    env: { ...process.env, LOG_LEVEL: 'error', ...options.env },
    stdio: log === undefined ? ['ignore', 'ignore', 'inherit'] : ['ignore', log, log],
  });
  const url = `http://127.0.0.1:${options.port}`;
  const started = handleOf(child, url);
  try {
    await untilHealthy(child, `${url}${options.healthPath ?? '/'}`, options.healthPath === undefined);
  } catch (error) {
    await started.stop();
    throw error;
  }
  return started;
}

/** Starts a program that prints its address as one line of JSON. */
export async function startAnnouncedChild(
  file: string,
  env: Record<string, string> = {},
  placement: Placement = {},
): Promise<Child> {
  const child = spawn(...commandOf(file, placement), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { port } = JSON.parse(String(line)) as { port: number };
  return handleOf(child, `http://127.0.0.1:${port}`);
}

/** Runs a program to its end and returns what it printed. */
export async function runChild(file: string, placement: Placement): Promise<string> {
  const child = spawn(...commandOf(file, placement), { stdio: ['ignore', 'pipe', 'inherit'] });
  const printed: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return Buffer.concat(printed).toString();
}

function commandOf(file: string, { core, nodeOptions = [] }: Placement): [program: string, args: string[]] {
  const args = [...nodeOptions, file];
  return core === undefined ? [process.execPath, args] : ['taskset', ['-c', String(core), process.execPath, ...args]];
}

function handleOf(child: ChildProcess, url: string): Child {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid ?? 0,
    url,
    get hasEnded() {
      return hasEnded();
    },
    stop: async (signal = 'SIGTERM') => {
      if (hasEnded()) return child.exitCode;
      const exit = once(child, 'exit');
      child.kill(signal);
      await exit;
      return child.exitCode;
    },
  };
}

async function untilHealthy(child: ChildProcess, url: string, anyAnswer: boolean): Promise<void> {
  const deadline = Date.now() + startLimitMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the process for ${url} ended with code ${child.exitCode}`);
    const status = await fetch(url).then(
      (reply) => reply.status,
      (error: unknown) => (anyAnswer && !isRefused(error) ? 200 : 0),
    );
    if (status === 200) return;
    await sleep(100);
  }
  throw new Error(`nothing answered at ${url}`);
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && JSON.stringify(error.cause ?? '').includes('ECONNREFUSED');
}

/** CPU time that the threads of a process have used so far, user and system, in microseconds (Linux, from their schedstat files). */
export function cpuTimeUs(pid: number): number {
  const threads = `/proc/${pid}/task`;
  const ns = readdirSync(threads).map((thread) =>
    Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
  );
  return ns.reduce((sum, each) => sum + each, 0) / 1000;
}
