import { type ListeningProgram, startBuilt } from '@mlango/test-services/program';
import { freePort } from '@mlango/test-services/servers';

/** One built replica of a service: a process that may die and restart at the same address. */
export interface Replica {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** SIGKILL: all work under way is lost. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Starts it again, from another build if one is given; resolves when it listens. */
  start(main?: string): Promise<void>;
}

/** Two replicas that listen. `main` is a path from the root of the repository, `services/x/dist/main.js`, or an absolute one. */
export async function startTwo(
  main: string,
  env: Readonly<Record<string, string>>,
): Promise<readonly [Replica, Replica]> {
  // The first alone: it may have a database to set up.
  const first = await startReplica(main, env);
  return [first, await startReplica(main, env)];
}

export async function startReplica(main: string, env: Readonly<Record<string, string>>): Promise<Replica> {
  const port = await freePort();
  let program: ListeningProgram;
  const start = async (build = main) => {
    program = await startBuilt(build, { RATE_LIMIT_MAX: '1000000', ...env, PORT: String(port) });
  };
  await start();
  return {
    address: `127.0.0.1:${port}`,
    kill: async () => void (await program.end('SIGKILL')),
    stop: () => program.end('SIGTERM'),
    start,
  };
}
