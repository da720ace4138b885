import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Child {
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
}

const startLimitMs = 30_000;

/** Starts a Node program and waits until its health answers, or until the port accepts when there is no health path. */
export async function startChild(
  file: string,
  options: { port: number; env?: Record<string, string>; healthPath?: string },
): Promise<Child> {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, LOG_LEVEL: 'error', ...options.env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${options.port}`;
  await untilHealthy(child, `${url}${options.healthPath ?? '/'}`, options.healthPath === undefined);
  return { pid: child.pid ?? 0, url, stop: () => stopChild(child) };
}

/** Starts a program that prints its address as one line of JSON. */
export async function startAnnouncedChild(file: string, env: Record<string, string> = {}): Promise<Child> {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { port } = JSON.parse(String(line)) as { port: number };
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}`, stop: () => stopChild(child) };
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
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

/** CPU time a process has used so far, user and system, in microseconds (Linux, from its stat file). */
export function cpuTimeUs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return ticks * 10_000;
}
