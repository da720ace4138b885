import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const packages = ['transcoder', 'cosmos-rest'];
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'first-examples-'));
  mkdirSync(join(folder, 'node_modules/@mlango'), { recursive: true });
  for (const name of packages) symlinkSync(join(root, 'packages', name), join(folder, 'node_modules/@mlango', name));
  cpSync(join(root, 'tools/checks/installed/first-examples.mjs'), join(folder, 'first-examples.mjs'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the first example of a README', () => {
  it.each(packages)('of %s prints the documented output', (name) => {
    execFileSync(process.execPath, ['first-examples.mjs', `@mlango/${name}`], { cwd: folder, stdio: 'pipe' });
  });
});
