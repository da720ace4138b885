import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { killTree } from './kill-tree.mjs';

const KILL_AFTER_MS = 5_000;

export class CommandError extends Error {
  /**
   * @param {string} message
   * @param {string} output - everything the command wrote
   */
  constructor(message, output) {
    super(message);
    this.name = 'CommandError';
    this.output = output;
  }
}

export class StoppedError extends Error {
  constructor() {
    super('Stopped on request.');
    this.name = 'StoppedError';
  }
}

/**
 * Runs a command to its end in a process group of its own, so that a terminal's Ctrl-C reaches it once, through us.
 * @param {readonly string[]} command - program and arguments
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, signal?: AbortSignal | undefined, onText?: ((text: string) => void) | undefined }} options
 * @returns {Promise<string>} its stdout
 * @throws {CommandError} when it can't be started or ends with another exit code than 0
 * @throws {StoppedError} when the signal is aborted; the command and its children have then been stopped
 */
export function runCommand([program = '', ...args], { cwd, env, signal, onText }) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new StoppedError());
    const title = program === process.execPath ? (args[0] ?? program) : program;
    const child = spawn(program, args, {
      cwd,
      env,
      detached: process.platform !== 'win32',
      shell: process.platform === 'win32' && /\.cmd$/.test(program),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let output = '';
    let stdout = '';
    /** @type {NodeJS.Timeout | undefined} */
    let hardKill;
    const stop = () => {
      killTree(child.pid, 'SIGTERM');
      hardKill = setTimeout(() => killTree(child.pid, 'SIGKILL'), KILL_AFTER_MS);
    };
    signal?.addEventListener('abort', stop, { once: true });
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      output += text;
      onText?.(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output += text;
      onText?.(text);
    });
    const settle = () => {
      clearTimeout(hardKill);
      signal?.removeEventListener('abort', stop);
    };
    child.on('error', (error) => {
      settle();
      reject(new CommandError(`${basename(title)} could not be started: ${error.message}`, output));
    });
    child.on('close', (code, endedBy) => {
      settle();
      if (signal?.aborted) reject(new StoppedError());
      else if (code === 0) resolve(stdout);
      else reject(new CommandError(`${basename(title)} ended with ${endedBy ?? `exit code ${code}`}`, output));
    });
  });
}
