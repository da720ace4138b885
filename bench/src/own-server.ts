import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server that belongs to this run. */
export interface OwnServer {
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
}

const startLimitMs = 20_000;

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Runs a server in the foreground until it accepts connections; undefined where there is no such program. */
export async function runServer(
  file: string,
  args: readonly string[],
  options: { port: number; uid?: number; gid?: number },
): Promise<{ pid: number; stop: (signal: NodeJS.Signals) => Promise<void> } | undefined> {
  const { port, ...identity } = options;
  const child = spawn(file, args, { stdio: 'ignore', ...identity });
  const failed = once(child, 'error').then(() => true);
  const started = once(child, 'spawn').then(() => false);
  if (await Promise.race([failed, started])) return undefined;
  const deadline = Date.now() + startLimitMs;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${file} does not start`);
    await sleep(50);
  }
  return { pid: child.pid ?? 0, stop: (signal) => stop(child, signal) };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
