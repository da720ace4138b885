import { resolve } from 'node:path';

/** Where the embedded database of a service's folder lies. */
export const embeddedPlace = (dataDir: string): string => resolve(dataDir, 'postgres');
