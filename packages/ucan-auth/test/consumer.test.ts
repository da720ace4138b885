import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const folder = new URL('./consumer/', import.meta.url);
const files = readdirSync(folder).map((name) => fileURLToPath(new URL(name, folder)));
const consumers = files.map((file) => readFileSync(file, 'utf8')).join('\n');
const root = new URL('../../../', import.meta.url);

/** Every exported name of a package, by subpath. */
function exportsOf(folderName: string): [string, string][] {
  const read = (path: string) => readFileSync(new URL(`packages/${folderName}/${path}`, root), 'utf8');
  const subpaths: Record<string, { '@mlango/source': string }> = JSON.parse(read('package.json')).exports;
  return Object.entries(subpaths).flatMap(([subpath, { '@mlango/source': source }]) =>
    namesIn(read(source)).map((name): [string, string] => [`@mlango/${folderName}${subpath.slice(1)}`, name]),
  );
}

function namesIn(source: string): string[] {
  const declared = /^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm;
  const handedOn = /^export (?:type )?\{([^}]*)\}/gm;
  const lists = [...source.matchAll(handedOn)].flatMap(([, names = '']) => names.split(','));
  return [
    ...[...source.matchAll(declared)].flatMap(([, name]) => name ?? []),
    ...lists.map((name) => name.replace(/\btype\b/, '').trim()).filter((name) => name !== ''),
  ];
}

describe('consumer code', () => {
  const all = [...exportsOf('crypto'), ...exportsOf('ucan-auth')];

  it('uses every export of the packages', () => {
    const subpaths = new Set(all.map(([subpath]) => subpath));
    expect([...subpaths].filter((subpath) => !consumers.includes(`'${subpath}'`))).toEqual([]);
    const isWhole = (subpath: string) =>
      consumers.replace(/\s+/g, ' ').search(`import \\* as \\w+ from '${subpath}'`) >= 0;
    const isUsed = (name: string) => [...consumers.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length > 1;
    expect(all.filter(([subpath, name]) => !isWhole(subpath) && !isUsed(name))).toEqual([]);
    expect(all.length).toBeGreaterThan(80);
  });

  it('casts nothing, and compiles', { timeout: 60_000 }, () => {
    const code = consumers.replace(/^import[^;]*;|^\s*\/\/.*$|\/\*\*.*\*\/|`[^`\n]*`|'[^'\n]*'/gm, '');
    expect(code).toContain('createUcanAuth(');
    expect(code).not.toMatch(/\bas [A-Za-z]|@ts-|[\w)\]]!(?=[.;,)\]])/);
    const strictness = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck'];
    // Services import the sources too, so no build is needed.
    const target = ['--noEmit', '--ignoreConfig', '--target', 'ES2023', '--module', 'NodeNext', '--types', 'node'];
    const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));
    const compile = () =>
      execFileSync(
        process.execPath,
        [tsc, ...target, ...strictness, '--customConditions', '@mlango/source', ...files],
        {
          cwd: fileURLToPath(new URL('..', import.meta.url)),
          encoding: 'utf8',
          stdio: 'pipe',
        },
      );
    expect(compile()).toBe('');
  });
});
