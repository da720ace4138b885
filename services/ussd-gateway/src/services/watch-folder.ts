import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from '@mlango/service-kit/logging';
import { again, type Background } from '../again.js';
import type { House, ServiceSource, ServicesRead } from './read-services.js';

export interface WatchedFolder {
  readonly folder: string;
  readonly house: House;
  /** Serves what was read and is sound. False where it is what is served. */
  readonly serve: (services: readonly ServiceSource[]) => boolean;
  readonly everyMs: number;
  readonly logger: Logger;
  /** Is told of each change. */
  readonly onChange: (outcome: 'served' | 'refused') => void;
}

/** From `src/services` and from `dist/services` alike. */
const worker = new URL('../../dist/services/read-services.worker.js', import.meta.url);

/** A folder that takes longer to check is refused. */
const readLimitMs = 60_000;

/** Serves a folder of flows anew whenever it has changed and is sound; one that is not changes nothing. It is looked at, since no file system tells of all changes. */
export function watchFolder(watched: WatchedFolder): Background {
  const { folder, serve, everyMs, logger, onChange } = watched;
  // Nothing yet: what has changed since the process read its flows is seen at the first look.
  let tried = '';
  const look = async () => {
    const now = await signatureOf(folder);
    if (now === tried) return;
    tried = now;
    const read = await readBeside(watched);
    // Files that change while they are read are read again.
    if ((await signatureOf(folder)) !== now) {
      tried = '';
    } else if (read.problems !== undefined) {
      logger.error(
        { problems: read.problems },
        'the flows have changed and are not sound: those before stay in service',
      );
      onChange('refused');
    } else if (serve(read.services)) {
      logger.info({ folder }, 'the flows have changed: dials begin on the new ones');
      onChange('served');
    }
  };
  const tryToLook = () =>
    look().catch((error: unknown) => {
      logger.error({ err: error }, 'the flows have changed and cannot be read: those before stay in service');
      onChange('refused');
    });
  return again(tryToLook, () => everyMs);
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

function readBeside({ folder, house }: WatchedFolder): Promise<ServicesRead> {
  return new Promise((resolve, reject) => {
    const reader = new Worker(worker, {
      workerData: { folder, house },
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    const limit = setTimeout(() => reject(new Error(`reading them took over ${readLimitMs} ms`)), readLimitMs);
    reader
      .once('message', resolve)
      .once('error', reject)
      .once('exit', () => reject(new Error('the reader ended')));
    const end = () => {
      clearTimeout(limit);
      void reader.terminate();
    };
    reader.once('message', end).once('error', end);
    limit.unref();
  });
}
