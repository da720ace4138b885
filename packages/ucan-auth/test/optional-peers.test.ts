import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const src = new URL('../src/', import.meta.url);
const files = readdirSync(src).filter((name) => !/\.(test|contract)\.ts$/.test(name));

/** The files of this package that a file loads when it runs, itself among them. */
function loadedBy(file: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(file)) return known;
  known.add(file);
  for (const specifier of runtimeImports(file)) {
    if (specifier.startsWith('./')) loadedBy(specifier.slice(2).replace(/\.js$/, '.ts'), known);
  }
  return known;
}

function runtimeImports(file: string): readonly string[] {
  const text = readFileSync(new URL(file, src), 'utf8');
  return [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm)].flatMap(([, name]) => name ?? []);
}

describe('the optional peers', () => {
  it.each([
    ['drizzle-orm', /^drizzle-orm/, /^postgres-/],
    ['ioredis', /^ioredis/, /^redis-/],
    ['fastify', /^fastify/, /^fastify/],
  ])('%s is loaded by its own doors alone', (_, library, door) => {
    const others = files.filter((name) => !door.test(name));
    const loading = others.filter((name) =>
      [...loadedBy(name)].flatMap(runtimeImports).some((each) => library.test(each)),
    );
    expect(others.length).toBeGreaterThan(30);
    expect(loading).toEqual([]);
  });

  it('are found where they are loaded', () => {
    expect(runtimeImports('postgres-schema.ts')).toContain('drizzle-orm/pg-core');
    expect(loadedBy('auth.ts')).toContain('judge.ts');
  });
});
