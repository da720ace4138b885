// node first-examples.mjs <package...>: runs the first example in the README of each installed package. The comment at its end is
// the expected output.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

for (const name of process.argv.slice(2)) {
  const [, code = ''] =
    /^```js\n([\s\S]*?)^```$/m.exec(readFileSync(join('node_modules', name, 'README.md'), 'utf8')) ?? [];
  writeFileSync('first-example.mjs', code);
  const said = execFileSync(process.execPath, ['first-example.mjs'], { encoding: 'utf8' }).trim();
  const expected = code
    .trimEnd()
    .split('\n')
    .at(-1)
    ?.replace(/^\/\/ /, '');
  if (said === '' || said !== expected) throw new Error(`${name}: its first example says ${said}, not ${expected}`);
}
