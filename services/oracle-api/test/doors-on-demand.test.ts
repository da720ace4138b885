import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { listensAtUrl, runProgram } from '@mlango/test-services/program';
import { afterAll, beforeAll, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doors-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The modules that a service has loaded by the time it listens. */
async function loadedWith(DOORS: string): Promise<string[]> {
  const fileOf = (name: string) => join(folder, `${DOORS}-${name}`);
  const [list, hooks, entry] = [fileOf('list.txt'), fileOf('hooks.mjs'), fileOf('entry.mjs')];
  const note = `appendFileSync(${JSON.stringify(list)}, url + '\\n')`;
  const load = `export const load = (url, context, next) => { ${note}; return next(url, context); };`;
  await writeFile(hooks, `import { appendFileSync } from 'node:fs';\n${load}`);
  const registered = JSON.stringify(pathToFileURL(hooks).href);
  await writeFile(entry, `import { register } from 'node:module';\nregister(${registered});`);
  const env = { DOORS, NODE_ENV: 'test', PORT: '0', DATA_DIR: fileOf('data') };
  const service = runProgram(['--import', pathToFileURL(entry).href, main], { env });
  try {
    await service.says(listensAtUrl);
  } finally {
    await service.end();
  }
  return (await readFile(list, 'utf8')).split('\n');
}

const doorsIn = (modules: readonly string[]) =>
  [...new Set(modules.flatMap((url) => /\/oracle-api\/dist\/doors\/([a-z0-9-]+)\//.exec(url)?.[1] ?? []))].toSorted();

it('a door that is off is not loaded, nor what doors stand on', { timeout: 120_000 }, async () => {
  const none = await loadedWith('none');
  expect(doorsIn(none)).toEqual(['http', 'sockets']);
  expect(none.filter((url) => /@a2a-js|@ag-ui|@modelcontextprotocol|\/node_modules\/openai\//.test(url))).toEqual([]);
  expect(doorsIn(await loadedWith('mcp,a2a'))).toEqual(['a2a', 'http', 'mcp', 'sockets']);
});
