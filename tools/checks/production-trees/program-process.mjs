import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { waitUntilReady } from '../../bootstrap/services/readiness.mjs';

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 20_000;
const LAST_CHARS = 4_000;

/** A program run from its production tree as its image runs it: plain node, and of our environment no variable but PATH. */
export class ProgramProcess {
  #child;
  #output = '';
  /** @type {Promise<string>} */
  #end;
  #ended = new AbortController();

  /** @param {{ name: string, tree: string, env: Readonly<Record<string, string>> }} program */
  constructor({ name, tree, env }) {
    this.name = name;
    this.#child = spawn(process.execPath, ['dist/main.js'], {
      cwd: join(tree, 'service'),
      env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.#output = (this.#output + text).slice(-LAST_CHARS);
      });
    }
    this.#end = new Promise((resolve) => {
      this.#child.on('error', (error) => resolve(error.message));
      this.#child.on('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
    });
    void this.#end.then(() => this.#ended.abort());
  }

  /**
   * @param {'http' | 'tcp'} readiness
   * @param {number} port
   * @returns {Promise<string[]>} why it is not ready, in its own words
   */
  async untilReady(readiness, port) {
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(READY_WITHIN_MS)]);
    if (await waitUntilReady(readiness, { host: '127.0.0.1', port, signal })) return [];
    const how = this.#ended.signal.aborted ? `has ended with ${await this.#end}` : 'does not get ready';
    return [`${this.name} ${how}:\n${this.#output}`];
  }

  /** @returns {Promise<string[]>} how it ended after SIGTERM, unless with exit code 0 */
  async stop() {
    if (this.#ended.signal.aborted) return [];
    this.#child.kill('SIGTERM');
    const deadline = setTimeout(() => this.#child.kill('SIGKILL'), STOP_WITHIN_MS);
    const how = await this.#end;
    clearTimeout(deadline);
    return how === 'exit code 0' ? [] : [`${this.name} ended with ${how} after SIGTERM:\n${this.#output}`];
  }

  /** Ends it at once, if it still runs. */
  kill() {
    this.#child.kill('SIGKILL');
  }
}
