import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { realServicesRequired } from '@mlango/test-services/required';

/** An API object without types: the library is installed separately, without its types here. */
export type Calls = Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>;

/**
 * A client library of `heavy/`, which `npm run test:clients` installs.
 * @returns undefined if it is not installed; with `REQUIRE_REAL_SERVICES=1` that is an error
 */
export function heavyClient<Library>(name: string): Library | undefined {
  const folder = new URL('../heavy/', import.meta.url);
  if (existsSync(new URL(`node_modules/${name}/package.json`, folder))) return createRequire(folder)(name) as Library;
  if (realServicesRequired()) throw new Error(`${name} is required: npm run test:clients installs it`);
  process.stdout.write(`Skipped: tests of ${name} (npm run test:clients installs it)\n`);
  return undefined;
}
