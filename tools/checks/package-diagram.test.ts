import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFiles, repositoryRoot } from './project-files.mjs';

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');
const own = '@mlango/';

/** The names of each row, from the top. */
function rowsOf(svg: string): string[][] {
  const rows = new Map<string, string[]>();
  let row = '';
  for (const [, title, name] of svg.matchAll(/<text class="s" x="16"[^>]*>([^<]+)|font-weight="600">([^<]+)/g)) {
    if (title !== undefined) row = title;
    else rows.set(row, [...(rows.get(row) ?? []), name ?? '']);
  }
  return [...rows.values()];
}

const rows = rowsOf(read('docs/images/packages.svg'));
const packages = projectFiles()
  .filter((file) => /^(services|packages)\/[^/]+\/package\.json$|^proto\/package\.json$/.test(file))
  .map((file) => JSON.parse(read(file)) as { name: string; dependencies?: Record<string, string> });

it('the diagram of packages has each package of the workspace once', () => {
  expect(rows.flat().toSorted()).toEqual(packages.map(({ name }) => name.slice(own.length)).toSorted());
});

it.each(packages)('in the diagram $name imports packages of lower rows only', ({ name, dependencies = {} }) => {
  const rowOf = (one: string) => rows.findIndex((row) => row.includes(one.slice(own.length)));
  const imported = Object.keys(dependencies).filter((one) => one.startsWith(own));
  expect(imported.filter((one) => rowOf(one) <= rowOf(name))).toEqual([]);
});
