// Copies the Postgres driver, as patched by pnpm, into the built package: an installer with another package manager, or in
// another workspace, would get it unpatched. `#postgres` in package.json points to the copy.
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = dirname(fileURLToPath(import.meta.resolve('postgres')));
const target = fileURLToPath(new URL('dist/mended-postgres/', import.meta.url));

// Checks for the patch: without `ahead` statements behind a pooler would run without their limits.
const driver = readFileSync(join(source, 'connection.js'), 'utf8');
if (!['dropWrites', 'options.ahead'].every((name) => driver.includes(name))) {
  throw new Error(`${source} is not patched: install with the pnpm of this repository (docs/adr/0008)`);
}
rmSync(target, { recursive: true, force: true });
cpSync(source, target, { recursive: true, dereference: true });
