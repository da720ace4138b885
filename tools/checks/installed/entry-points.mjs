// node entry-points.mjs <package...>: imports every entry point of the installed packages. An entry point with a missing
// dependency fails.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

for (const name of process.argv.slice(2)) {
  const { exports } = JSON.parse(readFileSync(join('node_modules', name, 'package.json'), 'utf8'));
  for (const door of Object.keys(exports)) await import(`${name}${door.slice(1)}`);
}
