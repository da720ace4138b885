import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const plugins = readdirSync(new URL('..', import.meta.url));
const own = readdirSync(new URL('.', import.meta.url), { encoding: 'utf8', recursive: true }).filter(
  (file) => file.endsWith('.ts') && !/\.(test|fixture|contract)\.ts$/.test(file),
);

it.each(own)('%s names no plugin: what is true of one alone it declares', (file) => {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  expect(plugins.filter((name) => new RegExp(`['"\`]${name}['"\`]`).test(text))).toEqual([]);
});
