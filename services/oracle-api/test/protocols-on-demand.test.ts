import { fileURLToPath } from 'node:url';
import { loadedModules } from '@mlango/test-services/loaded-modules';
import { expect, it } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

const folder = /\/oracle-api\/dist\/(?:protocols\/)?(http|sockets|openai|ai-sdk|mcp|ag-ui|a2a)\//;
const foldersIn = (modules: readonly string[]) =>
  [...new Set(modules.flatMap((url) => folder.exec(url)?.[1] ?? []))].toSorted();

const loadedWith = (DOORS: string) => loadedModules(main, { DOORS });

it('a disabled protocol is not loaded, nor are the modules that protocols share', { timeout: 120_000 }, async () => {
  const [none, some] = await Promise.all([loadedWith('none'), loadedWith('mcp,a2a')]);
  expect(foldersIn(none)).toEqual(['http', 'sockets']);
  expect(none.filter((url) => /@a2a-js|@ag-ui|@modelcontextprotocol|\/node_modules\/openai\//.test(url))).toEqual([]);
  expect(foldersIn(some)).toEqual(['a2a', 'http', 'mcp', 'sockets']);
});
