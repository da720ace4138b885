import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { realServicesRequired } from '@mlango/test-services/required';
import type { PublishedClient } from './clients.js';

const folder = fileURLToPath(new URL('clients/', import.meta.url));
const node = `${folder}node_modules/node/bin/node`;

/**
 * Whether `npm run test:clients` has installed the clients, and the Node that the newest of them need.
 * @throws Error if they are missing and `REQUIRE_REAL_SERVICES=1`
 */
export function clientsInstalled(): boolean {
  if (existsSync(node)) return true;
  if (realServicesRequired()) throw new Error('Published clients are required: npm run test:clients installs them');
  process.stdout.write('Skipped: tests of published clients (npm run test:clients installs them)\n');
  return false;
}

/** Input of a script that runs a feature. */
export interface Place {
  readonly url: string;
  readonly token: string;
  readonly session: string;
  readonly picture: string;
  readonly folder: string;
}

type Message =
  | { readonly ready: readonly string[] }
  | { readonly checkpoint: string }
  | { readonly result: Readonly<Record<string, unknown>> | null }
  | { readonly error: string };

/** A published client in a separate process, which runs one feature at a time. */
export class ClientProcess {
  readonly #process: ChildProcess;
  /** Features of its script. */
  readonly ready: Promise<readonly string[]>;
  #onMessage: (message: Message) => void = () => undefined;
  #onExit: (error: Error) => void = () => undefined;

  constructor({ script, args }: PublishedClient, home: string) {
    this.#process = fork(`${folder}run.mjs`, [`./${script}.mjs`, ...args], {
      execPath: node,
      execArgv: [],
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: home },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#process.on('message', (message: Message) => this.#onMessage(message));
    this.#process.on('exit', (code) => this.#onExit(new Error(`the client ended with ${code}`)));
    this.ready = new Promise((resolve, reject) => {
      this.#onExit = reject;
      this.#onMessage = (message) => resolve('ready' in message ? message.ready : []);
    });
  }

  /** @param atCheckpoint called when the script waits for the test, which then continues */
  run(
    feature: string,
    place: Place,
    atCheckpoint: (name: string) => unknown,
  ): Promise<Readonly<Record<string, unknown>>> {
    return new Promise((resolve, reject) => {
      this.#onExit = reject;
      this.#onMessage = (message) => {
        if ('checkpoint' in message) {
          Promise.resolve(atCheckpoint(message.checkpoint)).then(() => this.#process.send({ go: true }), reject);
        } else if ('error' in message) reject(new Error(message.error));
        else if ('result' in message) resolve(message.result ?? {});
      };
      this.#process.send({ feature, place });
    });
  }

  end(): void {
    this.#process.kill('SIGKILL');
  }
}
