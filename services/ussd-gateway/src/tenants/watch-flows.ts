import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from '@mlango/service-kit/logging';
import { type Background, intervalLoop } from '../retention-job.js';
import type { Deployment, SentFlow, TenantsRead } from './read-tenants.js';
import type { TenantRegistry } from './tenant-registry.js';

export interface WatchedFolder {
  readonly folder: string;
  readonly deployment: Deployment;
  readonly tenants: TenantRegistry;
  readonly everyMs: number;
  readonly logger: Logger;
  /** Is told of each change. */
  readonly onChange: (outcome: 'served' | 'refused') => void;
}

/** Serves a folder of flows anew whenever it has changed and is sound; one that is not changes nothing. It is looked at, since no file system tells of all changes. */
export function watchFolder(watched: WatchedFolder): Background {
  const { folder, deployment, tenants, everyMs, logger, onChange } = watched;
  const reader = new FolderReader(folder, deployment);
  // Nothing yet: what has changed since the process read its flows is seen at the first look.
  let tried = '';
  const look = async () => {
    const now = await signatureOf(folder);
    if (now === tried) return;
    tried = now;
    const read = await reader.read(tenants.revisions);
    // Files that change while they are read are read again.
    if ((await signatureOf(folder)) !== now) {
      tried = '';
    } else if (read.problems !== undefined) {
      logger.error(
        { problems: read.problems },
        'the flows have changed and are not sound: those before stay in service',
      );
      onChange('refused');
    } else if (tenants.serve(read.services)) {
      logger.info({ folder }, 'the flows have changed: dials begin on the new ones');
      onChange('served');
    }
  };
  const tryToLook = () =>
    look().catch((error: unknown) => {
      logger.error({ err: error }, 'the flows have changed and cannot be read: those before stay in service');
      onChange('refused');
    });
  const looking = intervalLoop(tryToLook, () => everyMs);
  return {
    stop: async () => {
      await looking.stop();
      reader.end();
    },
  };
}

/** Changes with every file of the folder, and with why it cannot be read. */
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

/** From `src/tenants` and from `dist/tenants` alike. */
const program = new URL('../../dist/tenants/read-tenants.worker.js', import.meta.url);

/** A folder that takes longer to check is refused. */
const readLimitMs = 60_000;
/** What was read is remembered for so long, for the next change. */
const idleMs = 60_000;

/** Reads a folder of flows beside the event loop: checking one takes seconds. What has not changed since the last time is not read anew. */
export class FolderReader {
  readonly #folder: string;
  readonly #deployment: Deployment;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(folder: string, deployment: Deployment) {
    this.#folder = folder;
    this.#deployment = deployment;
  }

  /**
   * @param served revisions of flows that are there already: of those no more than the name comes back.
   * @throws {Error} for a folder that takes too long, or too much memory.
   */
  async read(served: readonly string[]): Promise<TenantsRead<SentFlow>> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#started();
    const worker = this.#worker;
    let limit: NodeJS.Timeout | undefined;
    try {
      return await new Promise<TenantsRead<SentFlow>>((resolve, reject) => {
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
    const workerData = { folder: this.#folder, deployment: this.#deployment };
    const worker = new Worker(program, { workerData, resourceLimits: { maxOldGenerationSizeMb: 256 } });
    worker.unref();
    return worker;
  }
}
