import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from './server-process.js';

const END_LIMIT_MS = 5_000;

/**
 * Kills a server and all of its child processes at once, as when its machine dies. SIGKILL for the first process alone leaves the
 * others for a moment: one may still answer, or hold the port. Without `/proc` they end by themselves, a moment later.
 */
export async function killWithChildren(server: ServerProcess): Promise<void> {
  const { pid } = server;
  // Stopped, it starts no further one.
  server.signal('SIGSTOP');
  const children = pid === undefined ? [] : await childrenOf(pid);
  for (const child of children) kill(child);
  await server.end('SIGKILL');
  const deadline = Date.now() + END_LIMIT_MS;
  while ((await Promise.all(children.map(isRunning))).includes(true)) {
    if (Date.now() > deadline) throw new Error('the processes of a killed server go on');
    await sleep(5);
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(pids.map(async (pid) => (await statOf(pid))?.parent));
  return pids.filter((_, index) => parents[index] === parent);
}

async function isRunning(pid: number): Promise<boolean> {
  const stat = await statOf(pid);
  // A process that is not reaped stays as a zombie, which holds no resources.
  return stat !== undefined && stat.state !== 'Z' && stat.state !== 'X';
}

/** Undefined for an ended process. After proc(5): the name of a process, in parentheses, may contain any character. */
async function statOf(pid: number): Promise<{ readonly state: string; readonly parent: number } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const [state, parent] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? [];
  return state === undefined ? undefined : { state, parent: Number(parent) };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone by itself.
  }
}
