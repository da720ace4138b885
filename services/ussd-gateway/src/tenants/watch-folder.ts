import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@mlango/service-kit/logging';
import { again, type Background } from '../again.js';
import { FolderReader } from './folder-reader.js';
import type { House } from './read-services.js';
import type { ServedServices } from './served-services.js';

export interface WatchedFolder {
  readonly folder: string;
  readonly house: House;
  readonly services: ServedServices;
  readonly everyMs: number;
  readonly logger: Logger;
  /** Is told of each change. */
  readonly onChange: (outcome: 'served' | 'refused') => void;
}

/** Serves a folder of flows anew whenever it has changed and is sound; one that is not changes nothing. It is looked at, since no file system tells of all changes. */
export function watchFolder(watched: WatchedFolder): Background {
  const { folder, house, services, everyMs, logger, onChange } = watched;
  const reader = new FolderReader(folder, house);
  // Nothing yet: what has changed since the process read its flows is seen at the first look.
  let tried = '';
  const look = async () => {
    const now = await signatureOf(folder);
    if (now === tried) return;
    tried = now;
    const read = await reader.read(services.revisions);
    // Files that change while they are read are read again.
    if ((await signatureOf(folder)) !== now) {
      tried = '';
    } else if (read.problems !== undefined) {
      logger.error(
        { problems: read.problems },
        'the flows have changed and are not sound: those before stay in service',
      );
      onChange('refused');
    } else if (services.serve(read.services)) {
      logger.info({ folder }, 'the flows have changed: dials begin on the new ones');
      onChange('served');
    }
  };
  const tryToLook = () =>
    look().catch((error: unknown) => {
      logger.error({ err: error }, 'the flows have changed and cannot be read: those before stay in service');
      onChange('refused');
    });
  const looking = again(tryToLook, () => everyMs);
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
