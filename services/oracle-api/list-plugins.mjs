// Writes src/plugins/bundled.ts: the folders of src/plugins that hold a plugin, which are all but `api` and `host`. Part of the build.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = new URL('src/plugins/', import.meta.url);
const names = readdirSync(folder).filter(
  (name) => !['api', 'host'].includes(name) && existsSync(new URL(`${name}/plugin.ts`, folder)),
);
const text = `/** The plugins that every oracle comes with, by their folders. Written by list-plugins.mjs as part of the build. */
export const bundledNames: readonly string[] = [
${names
  .toSorted()
  .map((name) => `  '${name}',\n`)
  .join('')}];
`;
const file = new URL('bundled.ts', folder);
if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
