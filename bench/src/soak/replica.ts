import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from '../child-process.js';
import { freePort } from '../own-server.js';

const collector = new URL('collect-on-signal.js', import.meta.url).href;

export interface ReplicaOptions {
  readonly name: string;
  /** `services/x/dist/main.js` */
  readonly main: string;
  /** Where it may write; its log is there. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** libfaketime, where the machine has it: then its clock can be set wrong. */
  readonly clockLibrary: string | undefined;
}

/** One replica of a service as it was built: a process that may die, freeze and come back at the same address. */
export class Replica {
  readonly name: string;
  readonly port: number;
  readonly logFile: string;
  readonly #options: ReplicaOptions;
  readonly #clockFile: string;
  #child: Child | undefined;
  #isMeantToRun = false;

  private constructor(options: ReplicaOptions, port: number) {
    this.name = options.name;
    this.port = port;
    this.logFile = join(options.folder, `${options.name}.log`);
    this.#clockFile = join(options.folder, `${options.name}.clock`);
    this.#options = options;
  }

  static async start(options: ReplicaOptions): Promise<Replica> {
    mkdirSync(options.folder, { recursive: true });
    const replica = new Replica(options, await freePort());
    replica.setClock(0);
    await replica.start();
    return replica;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Whether it ended though nobody ended it. */
  get hasDied(): boolean {
    return this.#isMeantToRun && this.#child?.hasEnded === true;
  }

  async start(): Promise<void> {
    const { main, env, clockLibrary, folder, name } = this.#options;
    const clock = {
      LD_PRELOAD: clockLibrary ?? '',
      FAKETIME_TIMESTAMP_FILE: this.#clockFile,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    const log = openSync(this.logFile, 'a');
    this.#child = await startChild(fileURLToPath(new URL(`../../../${main}`, import.meta.url)), {
      port: this.port,
      healthPath: '/health/live',
      log,
      env: {
        ...(clockLibrary !== undefined && clock),
        NODE_OPTIONS: `--import ${collector}`,
        LOG_LEVEL: 'warn',
        PORT: String(this.port),
        DATA_DIR: join(folder, `${name}-data`),
        ...env,
      },
    });
    closeSync(log);
    this.#isMeantToRun = true;
  }

  /** SIGKILL: whatever was under way there is lost. */
  async kill(): Promise<void> {
    this.#isMeantToRun = false;
    await this.#child?.stop('SIGKILL');
  }

  /** SIGTERM; resolves with the exit code. */
  async stop(): Promise<number | null> {
    this.#isMeantToRun = false;
    return (await this.#child?.stop()) ?? null;
  }

  signal(name: NodeJS.Signals): void {
    if (this.#child?.hasEnded === false) process.kill(this.pid, name);
  }

  /** How far its wall clock is off; timers go on as they are. It takes up to a second. */
  setClock(byMs: number): void {
    writeFileSync(this.#clockFile, `${byMs < 0 ? '-' : '+'}${Math.abs(byMs) / 1000}\n`);
  }
}
