import { spawn } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { killTree } from '../process/kill-tree.mjs';
import { lineCutter } from './labelled-lines.mjs';

const LAST_LINES = 20;
const LAST_WORDS_WITHIN_MS = 1_000;
const PRELOAD = pathToFileURL(fileURLToPath(new URL('../process/end-with-parent.mjs', import.meta.url))).href;

/** One running service: its output line by line, its end, and the ways to end it. */
export class ServiceProcess {
  #child;
  /** @type {string[]} */
  #lastLines = [];

  /**
   * @param {{ name: string, script: string, env: NodeJS.ProcessEnv, cwd: string, onLine: (line: string) => void }} options
   */
  constructor({ name, script, env, cwd, onLine }) {
    this.name = name;
    this.ended = false;
    // A process group of its own: a terminal's Ctrl-C would reach it a second time, and two mean "at once" to a service.
    this.#child = spawn(process.execPath, ['--import', PRELOAD, script], {
      cwd,
      env,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      const cutter = lineCutter((line) => {
        this.#lastLines = [...this.#lastLines.slice(1 - LAST_LINES), line];
        onLine(line);
      });
      stream.on('data', cutter.push).on('end', cutter.end);
    }
    /** Resolves, never rejects, with a few words on how it ended. @type {Promise<string>} */
    this.end = new Promise((resolve) => {
      this.#child.on('error', (error) => resolve(`could not be started: ${error.message}`));
      this.#child.on('exit', (code, signal) => {
        const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
        // Its child processes end with it; the pipe may still hold its last lines.
        killTree(this.#child.pid, 'SIGKILL');
        const timer = setTimeout(() => resolve(how), LAST_WORDS_WITHIN_MS);
        this.#child.on('close', () => {
          clearTimeout(timer);
          resolve(how);
        });
      });
    }).then((how) => {
      this.ended = true;
      return how;
    });
  }

  /** The last lines it wrote, for a message about its death. */
  get lastLines() {
    return this.#lastLines;
  }

  /** @param {NodeJS.Signals} signal */
  kill(signal) {
    if (!this.ended) killTree(this.#child.pid, signal);
  }
}
