import { CommandError, StoppedError } from '../process/run-command.mjs';

const HEARTBEAT_MS = 10_000;

/**
 * Reports the progress of a set-up: a line when a step begins and one with its seconds when it ends, a sign of life while it
 * lasts, and a failed step's whole output.
 */
export class Progress {
  #write;
  #verbose;
  #heartbeatMs;

  /** @param {{ write: (text: string) => void, verbose?: boolean, heartbeatMs?: number }} options */
  constructor({ write, verbose = false, heartbeatMs = HEARTBEAT_MS }) {
    this.#write = write;
    this.#verbose = verbose;
    this.#heartbeatMs = heartbeatMs;
  }

  /** @param {string} text - one line */
  say(text) {
    this.#write(`${text}\n`);
  }

  /**
   * @template T
   * @param {string} title - the step, in a few words
   * @param {(onText: (text: string) => void) => Promise<T>} work - passes on the output of its commands
   * @returns {Promise<T>}
   */
  async step(title, work) {
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1_000;
    let lastLine = '';
    this.say(`→ ${title}`);
    const heartbeat = setInterval(() => {
      this.say(`  … ${title}: ${Math.round(seconds())} s${lastLine === '' ? '' : ` (${lastLine})`}`);
    }, this.#heartbeatMs);
    try {
      const result = await work((text) => {
        if (this.#verbose) this.#write(text);
        lastLine =
          text
            .trim()
            .split(/[\r\n]/)
            .at(-1)
            ?.trim()
            .slice(0, 100) ?? '';
      });
      this.say(`✓ ${title} (${seconds().toFixed(1)} s)`);
      return result;
    } catch (error) {
      if (error instanceof StoppedError) throw error;
      this.say(`✗ ${title} failed after ${seconds().toFixed(1)} s`);
      if (error instanceof CommandError && !this.#verbose) this.#write(error.output.replace(/\n?$/, '\n'));
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  }
}
