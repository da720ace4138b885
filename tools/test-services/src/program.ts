import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';

export interface Program {
  readonly child: ChildProcess;
  /** The exit code, once all output has been read; null after an unhandled signal. */
  readonly exit: Promise<number | null>;
  readonly output: () => string;
  /** The first group of the pattern in the output, as soon as it matches. Rejects if the program ends before. */
  says(pattern: RegExp): Promise<string>;
  /** Resolves with the exit code. Default signal: SIGKILL. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ListeningProgram extends Program {
  /** Host and port, or URL, from its output. */
  readonly address: string;
}

interface ProgramOptions {
  /** Its whole environment besides `PATH`: the tests' own environment must not reach it. */
  readonly env: Readonly<Record<string, string>>;
  /** Default: an empty folder outside the repository. */
  readonly cwd?: string;
  /** The file for its output. A pipe, the default, loses the last lines of a program that is killed while its reader is slow. */
  readonly logFile?: string | undefined;
}

/** The log line of a listening service of this repository. */
export const listensAtUrl = /Server listening at (http:\/\/127\.0\.0\.1:\d+)"/;

const root = new URL('../../../', import.meta.url);
/** A busy machine may be slow: callers have limits of their own. */
const startLimitMs = 60_000;
const running = new Set<Program>();

/** Starts a program with this Node. */
export function runProgram(args: readonly string[], { env, cwd = tmpdir(), logFile }: ProgramOptions): Program {
  const file = logFile === undefined ? undefined : openSync(logFile, 'a');
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', file ?? 'pipe', file ?? 'pipe'],
  });
  if (file !== undefined) closeSync(file);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  const output = () => (logFile === undefined ? text : readFileSync(logFile, 'utf8'));
  const exit = once(child, 'close').then(([code]) => {
    running.delete(program);
    return code as number | null;
  });
  const program: Program = {
    child,
    exit,
    output,
    says: (pattern) => Promise.race([caught(pattern, output), endedWithout(exit, output)]),
    end: (signal = 'SIGKILL') => {
      child.kill(signal);
      return exit;
    },
  };
  running.add(program);
  return program;
}

/** Starts a program, and resolves once its output contains its address. */
export async function startProgram(
  args: readonly string[],
  { listens, ...options }: ProgramOptions & { readonly listens: RegExp },
): Promise<ListeningProgram> {
  const program = runProgram(args, options);
  return { ...program, address: await program.says(listens) };
}

/** Starts a program of this repository as it was built (`services/x/dist/main.js`), and waits until it listens. */
export async function startBuilt(
  main: string,
  env: Readonly<Record<string, string>>,
  listens = listensAtUrl,
  logFile?: string,
): Promise<ListeningProgram> {
  return startProgram([built(main)], { env, listens, logFile });
}

/** Starts the mock node as it was built, on a free port. Its address is `host:port`, for `GRPC_TARGETS`. */
export function startNodeProgram(): Promise<ListeningProgram> {
  return startBuilt('deploy/mock-node/dist/main.js', { MOCK_NODE_PORT: '0' }, /gRPC on (\S+)/);
}

/** Starts a built program of this repository that ends by itself. */
export function runBuilt(main: string, env: Readonly<Record<string, string>>): Program {
  return runProgram([built(main)], { env });
}

/** Kills the remaining programs of a test file. */
export async function endPrograms(): Promise<void> {
  await Promise.all([...running].map((program) => program.end()));
}

function built(main: string): string {
  const file = fileURLToPath(new URL(main, root));
  if (!existsSync(file)) throw new Error(`${main} is missing: build first`);
  return file;
}

function caught(pattern: RegExp, output: () => string): Promise<string> {
  return vi.waitFor(
    () => {
      const found = pattern.exec(output())?.[1];
      if (found === undefined) throw new Error(`it has not said ${pattern} yet: ${output()}`);
      return found;
    },
    { timeout: startLimitMs, interval: 50 },
  );
}

async function endedWithout(exit: Program['exit'], output: () => string): Promise<never> {
  const code = await exit;
  throw new Error(`it ended with ${code} before that: ${output()}`);
}
