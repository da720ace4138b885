import { packageVersion } from '@mlango/service-kit/process';

/** The version of this package. */
export const version = packageVersion(new URL('../package.json', import.meta.url));
