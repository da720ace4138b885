import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a process has used so far. */
export interface Usage {
  readonly cpuUs: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
}

export interface GatewayChild {
  readonly url: string;
  usage(): Promise<Usage>;
  /** What the module loaded before it answers. */
  ask<Answer>(): Promise<Answer>;
  stop(): Promise<void>;
}

const START_LIMIT_MS = 30_000;
const reporter = new URL('./gateway-usage.js', import.meta.url).href;

/** Starts a program that listens on a port, and waits until `healthPath` answers. It can be asked for what only it knows of itself. */
export async function startGatewayChild(
  file: string,
  options: {
    readonly port: number;
    readonly healthPath: string;
    readonly env?: Record<string, string>;
    readonly nodeOptions?: readonly string[];
    /** A module that is loaded before it and answers `ask`; one that tells its `usage` unless given. */
    readonly reporter?: string;
  },
): Promise<GatewayChild> {
  const child = fork(file, [], {
    env: { ...process.env, LOG_LEVEL: 'error', PORT: String(options.port), ...options.env },
    execArgv: ['--import', options.reporter ?? reporter, ...(options.nodeOptions ?? [])],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const url = `http://127.0.0.1:${options.port}`;
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await isUp(`${url}${options.healthPath}`))) {
    if (child.exitCode !== null) throw new Error(`${file} ended with code ${child.exitCode}`);
    if (Date.now() > deadline) throw new Error(`nothing answered at ${url}`);
    await sleep(100);
  }
  const ask = async <Answer>(): Promise<Answer> => {
    const answered = once(child, 'message');
    child.send('usage');
    const [answer] = (await answered) as [Answer];
    return answer;
  };
  return {
    url,
    ask,
    usage: () => ask<Usage>(),
    async stop() {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    (reply) => reply.ok,
    () => false,
  );
}
