import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Background, intervalLoop } from '@mlango/async/interval-loop';
import type { Logger } from '@mlango/service-kit/logging';
import type { Deployment, SentFlow, TenantsRead } from './read-tenants.js';
import type { TenantRegistry } from './tenant-registry.js';

export interface WatchedFolder {
  readonly folder: string;
  readonly deployment: Deployment;
  readonly tenants: TenantRegistry;
  readonly everyMs: number;
  readonly logger: Logger;
  /** Called for each change. */
  readonly onChange: (outcome: 'served' | 'refused') => void;
}

/** Polls a folder of flows and activates valid changes; an invalid change is logged. Polling works on every file system. */
export function watchFolder(watched: WatchedFolder, openReader = openWorkerReader): Background {
  const { folder, deployment, tenants, everyMs, logger, onChange } = watched;
  const reader = openReader(folder, deployment);
  // Empty, so that changes since the start of the process are found by the first poll.
  let readSignature = '';
  /** When unchanged files are read again, after a failed read. */
  let retryAtMs = Infinity;
  const poll = async () => {
    const now = await signatureOf(folder);
    if (now === readSignature && Date.now() < retryAtMs) return;
    readSignature = now;
    retryAtMs = Infinity;
    const read = await reader.read(tenants.revisions);
    // Files changed while they were read: read again.
    if ((await signatureOf(folder)) !== now) {
      readSignature = '';
    } else if (read.problems !== undefined) {
      logger.error({ problems: read.problems }, 'flows changed and are invalid, keeping the active ones');
      onChange('refused');
    } else if (tenants.activate(read.services)) {
      logger.info({ folder }, 'flows changed, new sessions use them');
      onChange('served');
    }
  };
  const tryPoll = () =>
    poll().catch((error: unknown) => {
      retryAtMs = Date.now() + retryAfterMs;
      logger.error({ err: error }, 'flows changed and cannot be read, keeping the active ones');
      onChange('refused');
    });
  const loop = intervalLoop(tryPoll, () => everyMs);
  return {
    stop: async () => {
      await loop.stop();
      reader.end();
    },
  };
}

/** A signature of all files and their times, or of the error. */
async function signatureOf(folder: string): Promise<string> {
  try {
    const names = await readdir(folder, { recursive: true });
    const files = names.filter((name) => name.endsWith('.yaml')).toSorted();
    const stats = await Promise.all(
      files.map(async (name) => {
        const { size, mtimeMs, ino } = await stat(join(folder, name));
        return `${name} ${size} ${mtimeMs} ${ino}`;
      }),
    );
    return stats.join('\n');
  } catch (error) {
    return String(error);
  }
}

/** Works from `src/tenants` and from `dist/tenants`. */
const program = new URL('../../dist/tenants/read-tenants.worker.js', import.meta.url);

/** Checking a folder longer than this fails. */
const readLimitMs = 60_000;
/** How long the worker keeps its cache, for the next change. */
const idleMs = 60_000;

/** A failed read may have had a passing cause, such as a lack of memory. */
const retryAfterMs = 60_000;

interface FlowReader {
  read(served: readonly string[]): Promise<TenantsRead<SentFlow>>;
  end(): void;
}

const openWorkerReader = (folder: string, deployment: Deployment): FlowReader => new FolderReader(folder, deployment);

/** Reads a folder of flows in a worker, since checking takes seconds. Unchanged flows are not read again. */
class FolderReader implements FlowReader {
  readonly #folder: string;
  readonly #deployment: Deployment;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(folder: string, deployment: Deployment) {
    this.#folder = folder;
    this.#deployment = deployment;
  }

  /**
   * @param served loaded revisions: for those only the name is returned.
   * @throws {Error} for a folder that takes too long, or too much memory.
   */
  async read(served: readonly string[]): Promise<TenantsRead<SentFlow>> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#started();
    const worker = this.#worker;
    let limit: NodeJS.Timeout | undefined;
    try {
      return await new Promise<TenantsRead<SentFlow>>((resolve, reject) => {
        limit = setTimeout(
          () => reject(new Error(`reading the flows took over ${readLimitMs} ms`)),
          readLimitMs,
        ).unref();
        worker
          .removeAllListeners()
          .once('message', resolve)
          .once('error', reject)
          .once('exit', () => reject(new Error('the worker ended')));
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
    const workerData = { folder: this.#folder, deployment: this.#deployment };
    const worker = new Worker(program, { workerData, resourceLimits: { maxOldGenerationSizeMb: 256 } });
    worker.unref();
    return worker;
  }
}
