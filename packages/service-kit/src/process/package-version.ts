import { readFileSync } from 'node:fs';
import { z } from 'zod';

const manifest = z.object({ version: z.string() });

/** The version in a package manifest. @param url of its `package.json`, relative to the caller's `import.meta.url`. */
export function packageVersion(url: URL): string {
  return manifest.parse(JSON.parse(readFileSync(url, 'utf8'))).version;
}
