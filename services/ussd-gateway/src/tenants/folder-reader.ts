import { Worker } from 'node:worker_threads';
import type { House, SentFlow, ServicesRead } from './read-services.js';

/** From `src/tenants` and from `dist/tenants` alike. */
const program = new URL('../../dist/tenants/read-services.worker.js', import.meta.url);

/** A folder that takes longer to check is refused. */
const readLimitMs = 60_000;
/** What was read is remembered for so long, for the next change. */
const idleMs = 60_000;

/** Reads a folder of flows beside the event loop: checking one takes seconds. What has not changed since the last time is not read anew. */
export class FolderReader {
  readonly #folder: string;
  readonly #house: House;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(folder: string, house: House) {
    this.#folder = folder;
    this.#house = house;
  }

  /**
   * @param served revisions of flows that are there already: of those no more than the name comes back.
   * @throws {Error} for a folder that takes too long, or too much memory.
   */
  async read(served: readonly string[]): Promise<ServicesRead<SentFlow>> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#started();
    const worker = this.#worker;
    let limit: NodeJS.Timeout | undefined;
    try {
      return await new Promise<ServicesRead<SentFlow>>((resolve, reject) => {
        limit = setTimeout(() => reject(new Error(`reading them took over ${readLimitMs} ms`)), readLimitMs).unref();
        worker
          .removeAllListeners()
          .once('message', resolve)
          .once('error', reject)
          .once('exit', () => reject(new Error('the reader ended')));
        worker.postMessage(served);
      });
    } catch (error) {
      this.end();
      throw error;
    } finally {
      clearTimeout(limit);
      this.#idle = setTimeout(() => this.end(), idleMs).unref();
    }
  }

  end(): void {
    clearTimeout(this.#idle);
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  #started(): Worker {
    const workerData = { folder: this.#folder, house: this.#house };
    const worker = new Worker(program, { workerData, resourceLimits: { maxOldGenerationSizeMb: 256 } });
    worker.unref();
    return worker;
  }
}
