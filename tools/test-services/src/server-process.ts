import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Keeper } from './keeper.js';

export interface ServerCommand {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** An exclusive folder with its log, removed with the server. */
  readonly folder: string;
  /** Written to standard input: secrets belong here, where `ps` does not show them. */
  readonly input?: string;
  readonly identity?: { readonly uid: number; readonly gid: number };
  readonly isReady: (pid: number) => Promise<boolean>;
  /** Signal at removal. Default SIGKILL. */
  readonly lastSignal?: NodeJS.Signals;
}

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 5_000;

/** One child process that can be started, ended and started again. */
export class ServerProcess {
  readonly #command: ServerCommand;
  readonly #keeper: Keeper;
  #child: ChildProcess | undefined;

  constructor(command: ServerCommand, keeper: Keeper) {
    this.#command = command;
    this.#keeper = keeper;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * Starts it for the first time. On a failure everything is removed.
   *
   * @param prepare prepares its folder first
   */
  async launch(prepare: () => Promise<void> = async () => {}): Promise<void> {
    try {
      await prepare();
      await this.start();
    } catch (error) {
      await this.remove();
      throw error;
    }
  }

  /** Ends it, and removes its folder. */
  async remove(): Promise<void> {
    const { folder, lastSignal = 'SIGKILL' } = this.#command;
    await this.end(lastSignal);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    this.#keeper.release();
  }

  /** Resolves when the server answers; throws with the end of its log when it ends or stays silent. */
  async start(): Promise<void> {
    const { file, args, folder, input, identity, isReady, name } = this.#command;
    const logFile = join(folder, 'server.log');
    const log = openSync(logFile, 'a');
    const child = spawn(file, args, {
      detached: true,
      cwd: folder,
      stdio: [input === undefined ? 'ignore' : 'pipe', log, log],
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
      ...identity,
    });
    closeSync(log);
    child.unref();
    let failure: string | undefined;
    child.once('error', (error) => {
      failure = error.message;
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    this.#child = child;
    this.#keeper.watch(child.pid);
    const deadline = Date.now() + START_LIMIT_MS;
    while (Date.now() < deadline) {
      if (failure === undefined && hasEnded(child)) failure = `ended with ${child.exitCode ?? child.signalCode}`;
      if (failure !== undefined) break;
      if (child.pid !== undefined && (await isReady(child.pid))) return;
      await sleep(15);
    }
    await this.end('SIGKILL');
    throw new Error(`${name} did not start: ${failure ?? 'no answer in 30 s'}\n${tailOf(logFile)}`);
  }

  /** Sends the signal and waits for the end; SIGKILL follows when the server ignores it. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.pid === undefined || hasEnded(child)) return;
    const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    child.kill(signal);
    await ended;
    clearTimeout(force);
    this.#keeper.watch(undefined);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function tailOf(logFile: string): string {
  try {
    return readFileSync(logFile, 'utf8').split('\n').slice(-15).join('\n');
  } catch {
    return '';
  }
}
