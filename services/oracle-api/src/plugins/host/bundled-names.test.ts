import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bundledNames } from '../bundled.js';

const folder = new URL('..', import.meta.url);
const isPlugin = (name: string) => !['api', 'host'].includes(name) && existsSync(new URL(`${name}/plugin.ts`, folder));

it('the list of bundled plugins equals their folders: `node list-plugins.mjs` writes it', () => {
  const names = readdirSync(folder).filter(isPlugin);
  expect(bundledNames).toEqual(names.toSorted());
});

const plugins = readdirSync(folder).filter(isPlugin);
const own = readdirSync(new URL('.', import.meta.url), { encoding: 'utf8', recursive: true }).filter(
  (file) => file.endsWith('.ts') && !/\.(test|fixture|contract)\.ts$/.test(file),
);

it.each(own)('%s of the host names no plugin', (file) => {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  expect(plugins.filter((name) => new RegExp(`['"\`]${name}['"\`]`).test(text))).toEqual([]);
});
