import { fileURLToPath } from 'node:url';
import { loadedModules } from '@mlango/test-services/loaded-modules';
import { expect, it } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

const doorsIn = (modules: readonly string[]) =>
  [...new Set(modules.flatMap((url) => /\/oracle-api\/dist\/doors\/([a-z0-9-]+)\//.exec(url)?.[1] ?? []))].toSorted();

it('loads only the protocols that are on, and their libraries', { timeout: 120_000 }, async () => {
  const loaded = await loadedModules(main, { DOORS: 'a2a' });
  expect(doorsIn(loaded)).toEqual(['a2a', 'http', 'sockets']);
  expect(loaded.filter((url) => /@ag-ui|@modelcontextprotocol|\/node_modules\/openai\//.test(url))).toEqual([]);
});
