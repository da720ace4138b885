import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listensAtUrl, runProgram } from './program.js';

/** The modules that a service has imported by the time it listens, as URLs. */
export async function loadedModules(main: string, env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'modules-'));
  const fileOf = (name: string) => join(folder, name);
  const [list, hooks, entry] = [fileOf('list.txt'), fileOf('hooks.mjs'), fileOf('entry.mjs')];
  const note = `appendFileSync(${JSON.stringify(list)}, url + '\\n')`;
  const load = `export const load = (url, context, next) => { ${note}; return next(url, context); };`;
  try {
    await writeFile(hooks, `import { appendFileSync } from 'node:fs';\n${load}`);
    const registered = JSON.stringify(pathToFileURL(hooks).href);
    await writeFile(entry, `import { register } from 'node:module';\nregister(${registered});`);
    const settings = { NODE_ENV: 'test', PORT: '0', DATA_DIR: fileOf('data'), ...env };
    const service = runProgram(['--import', pathToFileURL(entry).href, main], { env: settings });
    try {
      await service.says(listensAtUrl);
    } finally {
      await service.end();
    }
    return (await readFile(list, 'utf8')).split('\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
