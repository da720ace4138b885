import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = new URL('../src/', import.meta.url);
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.ts$/.test(name) && !/\.(test|contract)\.ts$/.test(name));

/** The files of this package that a file loads at run time, itself included. */
function loadedBy(file: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(file)) return known;
  known.add(file);
  for (const specifier of runtimeImports(file)) {
    if (specifier.startsWith('.')) loadedBy(normalize(join(dirname(file), specifier.replace(/\.js$/, '.ts'))), known);
  }
  return known;
}

function runtimeImports(file: string): readonly string[] {
  const text = readFileSync(new URL(file, src), 'utf8');
  return [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm)].flatMap(([, name]) => name ?? []);
}

describe('the optional peers', () => {
  it.each([
    ['drizzle-orm', /^drizzle-orm/, /^stores\/postgres-/],
    ['ioredis', /^ioredis/, /^stores\/redis-/],
    ['fastify', /^fastify/, /^http\/fastify/],
  ])('%s is loaded by its own subpath only', (_, library, subpath) => {
    const others = files.filter((name) => !subpath.test(name));
    const loading = others.filter((name) =>
      [...loadedBy(name)].flatMap(runtimeImports).some((each) => library.test(each)),
    );
    expect(others.length).toBeGreaterThan(30);
    expect(loading).toEqual([]);
  });

  it('are detected where they are loaded', () => {
    expect(runtimeImports('stores/postgres-schema.ts')).toContain('drizzle-orm/pg-core');
    expect(loadedBy('auth.ts')).toContain('verify/verify-chain.ts');
  });
});
