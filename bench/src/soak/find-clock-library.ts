import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** libfaketime as Debian's package `faketime` has it; undefined where it is not there. */
export function findClockLibrary(): string | undefined {
  const folders = ['/usr/lib', '/usr/local/lib'].filter((folder) => existsSync(folder));
  const architectures = folders.flatMap((folder) => [folder, ...readdirSync(folder).map((name) => join(folder, name))]);
  return architectures.map((folder) => join(folder, 'faketime/libfaketimeMT.so.1')).find((file) => existsSync(file));
}
