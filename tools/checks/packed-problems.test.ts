import { describe, expect, it } from 'vitest';
import { packedProblems } from './packed-problems.mjs';

const manifest = {
  name: '@scope/one',
  version: '1.0.0',
  engines: { node: '>=20' },
  dependencies: { zod: '4.0.0', '@scope/two': '1.0.0' },
  peerDependencies: { react: '>=18' },
};
const texts = { LICENSE: '', 'README.md': '' };
const files = (more: Readonly<Record<string, string>> = {}) => new Map(Object.entries({ ...texts, ...more }));

describe('packedProblems', () => {
  it('finds nothing wrong with a package that stands by itself', () => {
    const code = [
      "import { readFile } from 'node:fs/promises';\nimport path from 'path';\nimport { z } from 'zod/v4';",
      "export {\n  one,\n} from '@scope/two/door';\nimport './other.js';\nimport inner from '#inner';",
      "const later = () => import('react');\n// a line from 'nowhere'\nconst text = \"import x from 'text'\";",
    ];
    expect(packedProblems(manifest, files({ 'dist/one.js': code.join('\n') }))).toEqual([]);
  });

  it.each(['workspace:*', 'catalog:', 'file:../two', 'link:../two'])('refuses the range %s', (range) => {
    const dependencies = { ...manifest.dependencies, '@scope/two': range };
    expect(packedProblems({ ...manifest, dependencies }, files())).toEqual([
      `dependencies asks for @scope/two at ${range}`,
    ]);
  });

  it('refuses a private package', () => {
    expect(packedProblems({ ...manifest, private: true }, files())).toEqual(['it is private']);
  });

  it.each(['dist/.tsbuildinfo', 'src/one.test.ts', 'src/one.contract.ts', 'dist/one.fixture.js'])(
    'refuses %s',
    (path) => {
      expect(packedProblems(manifest, files({ [path]: '' }))).toEqual([`${path} is nothing to install`]);
    },
  );

  it('misses its licence, its README and what it reads at run time', () => {
    expect(packedProblems(manifest, new Map(), ['drizzle/0000.sql'])).toEqual([
      'it has no LICENSE',
      'it has no README.md',
      'it has no drizzle/0000.sql',
    ]);
  });

  it.each([
    ['dist/one.js', "import { pgTable } from 'drizzle-orm/pg-core';"],
    ['dist/one.js', "export { pgTable } from 'drizzle-orm/pg-core';"],
    ['dist/one.js', "import 'drizzle-orm';"],
    ['dist/one.js', "const orm = await import('drizzle-orm');"],
    ['dist/one.js', "import {\n  one,\n  two,\n} from 'drizzle-orm';"],
    ['dist/one.d.ts', "import type { PgTable } from 'drizzle-orm/pg-core';"],
    ['dist/one.d.ts', "export declare const table: import('drizzle-orm').Table;"],
  ])('finds in %s what %s imports and the manifest does not list', (path, code) => {
    expect(packedProblems(manifest, files({ [path]: code }))).toEqual([
      `${path} imports drizzle-orm, which is no dependency`,
    ]);
  });
});
