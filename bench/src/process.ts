import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that this run started. */
export interface Child {
  readonly pid: number;
  readonly url: string;
  readonly hasEnded: boolean;
  /** Resolves with the exit code; null after a signal that the process does not handle. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A process that is stopped and started again at the same address. */
export class Restartable {
  readonly name: string;
  readonly url: string;
  readonly #start: () => Promise<Child>;
  #child: Child | undefined;

  constructor(name: string, url: string, start: () => Promise<Child>) {
    this.name = name;
    this.url = url;
    this.#start = start;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#child?.hasEnded ?? true;
  }

  async start(): Promise<void> {
    this.#child = await this.#start();
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    return (await this.#child?.stop(signal)) ?? null;
  }

  signal(name: NodeJS.Signals): void {
    if (!this.hasEnded) process.kill(this.pid, name);
  }
}

/** How a measured process runs. */
export interface Placement {
  /** The processor it is bound to. */
  readonly core?: number | undefined;
  /** A program that runs it, such as a profiler. */
  readonly wrapper?: readonly string[] | undefined;
}

const startLimitMs = 120_000;

/**
 * Starts a Node program and waits until its health path answers 200, or until its port accepts connections if it has none.
 *
 * @param options.log file descriptor for its output; without it only errors are shown
 */
export async function startChild(
  file: string,
  options: { port: number; env?: Record<string, string>; healthPath?: string; log?: number } & Placement,
): Promise<Child> {
  const { log, port, healthPath } = options;
  const isWrapped = options.wrapper !== undefined;
  const child = spawn(...commandOf(file, options), {
    detached: isWrapped,
    env: { ...process.env, LOG_LEVEL: 'error', ...options.env },
    stdio: log === undefined ? ['ignore', 'ignore', 'inherit'] : ['ignore', log, log],
  });
  const started = handleOf(child, `http://127.0.0.1:${port}`, isWrapped);
  try {
    await untilReady(child, () => (healthPath === undefined ? accepts(port) : isOk(`${started.url}${healthPath}`)));
  } catch (error) {
    await started.stop('SIGKILL');
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

/** Runs a program to its end and returns its output. */
export async function runChild(file: string, placement: Placement): Promise<string> {
  const child = spawn(...commandOf(file, placement), { stdio: ['ignore', 'pipe', 'inherit'] });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return Buffer.concat(output).toString();
}

/**
 * Runs a server in the foreground until it accepts connections.
 *
 * @returns undefined if the program is not installed
 */
export async function startServer(
  program: string,
  args: readonly string[],
  { port, ...identity }: { port: number; uid?: number; gid?: number },
): Promise<Child | undefined> {
  const child = spawn(program, args, { stdio: 'ignore', ...identity });
  const isMissing = await Promise.race([once(child, 'error').then(() => true), once(child, 'spawn').then(() => false)]);
  if (isMissing) return undefined;
  await untilReady(child, () => accepts(port));
  return handleOf(child, `127.0.0.1:${port}`);
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/**
 * Keeps this process, and its children, off the last processor, which is reserved for measured processes.
 *
 * @returns that processor; undefined on a machine with one, or without `taskset`
 */
export function reserveCore(): number | undefined {
  const last = availableParallelism() - 1;
  if (last < 1) return undefined;
  try {
    execFileSync('taskset', ['-a', '-p', '-c', `0-${last - 1}`, String(process.pid)], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return last;
}

/** CPU time of all threads of a process, user and system, in microseconds (Linux). */
export function cpuTimeUs(pid: number): number {
  const threads = `/proc/${pid}/task`;
  const ns = readdirSync(threads).map((thread) =>
    Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
  );
  return ns.reduce((sum, each) => sum + each, 0) / 1000;
}

/** Resident memory of a process in MB (Linux). */
export function residentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

function commandOf(file: string, { core, wrapper }: Placement): [program: string, args: string[]] {
  const args = [...(wrapper ?? []), file];
  return core === undefined ? [process.execPath, args] : ['taskset', ['-c', String(core), process.execPath, ...args]];
}

/** @param isWrapped whether signals are sent to the whole process group: to the wrapper and its children */
function handleOf(child: ChildProcess, url: string, isWrapped = false): Child {
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
      if (isWrapped && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
      await exit;
      return child.exitCode;
    },
  };
}

async function untilReady(child: ChildProcess, isReady: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + startLimitMs;
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with code ${child.exitCode}`);
    if (Date.now() > deadline) throw new Error(`${child.spawnargs.join(' ')} is not ready`);
    await sleep(100);
  }
}

function isOk(url: string): Promise<boolean> {
  return fetch(url).then(
    (reply) => reply.ok,
    () => false,
  );
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket
      .once('error', () => resolve(false))
      .once('connect', () => {
        socket.destroy();
        resolve(true);
      });
  });
}
