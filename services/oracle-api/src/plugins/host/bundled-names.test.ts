import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bundledNames } from '../bundled.js';

const folder = new URL('..', import.meta.url);

it('the list of bundled plugins is that of their folders: `node list-plugins.mjs` writes it', () => {
  const names = readdirSync(folder).filter((name) => existsSync(new URL(`${name}/plugin.ts`, folder)));
  expect(bundledNames).toEqual(names.toSorted());
});
