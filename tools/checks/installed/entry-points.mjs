// node doors.mjs <package...>: opens every door of the packages installed beside it. One that imports what did not come with it
// does not open.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

for (const name of process.argv.slice(2)) {
  const { exports } = JSON.parse(readFileSync(join('node_modules', name, 'package.json'), 'utf8'));
  for (const door of Object.keys(exports)) await import(`${name}${door.slice(1)}`);
}
