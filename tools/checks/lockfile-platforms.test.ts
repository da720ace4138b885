import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nativeFamilies, nativePackages, REQUIRED_PLATFORMS, section } from './native-platforms.mjs';
import { repositoryRoot } from './project-files.mjs';

const lockfile = readFileSync(join(repositoryRoot, 'pnpm-lock.yaml'), 'utf8');
const families = nativeFamilies(lockfile);

describe('pnpm-lock.yaml', () => {
  it('holds native packages that the test can see', () => {
    expect(families.map(({ parent }) => parent.replace(/@[^@]*$/, ''))).toEqual(
      expect.arrayContaining(['@biomejs/biome', '@bufbuild/buf', 'esbuild', 'turbo', 'typescript']),
    );
  });

  it.each(families.map((family) => [family.parent, family]))(
    '%s is there for every platform',
    (_parent, { missing }) => {
      expect(missing).toEqual([]);
    },
  );

  it('holds no native package outside these families but additions for one system', () => {
    const known = new Set(families.flatMap(({ members }) => members));
    const others = [...nativePackages(section(lockfile, 'packages')).keys()].filter((name) => !known.has(name));
    expect(others.filter((name) => !name.startsWith('fsevents@'))).toEqual([]);
  });
});

describe('the lockfile of the pinned pnpm', () => {
  const { packages } = JSON.parse(readFileSync(join(repositoryRoot, 'tools/pnpm/package-lock.json'), 'utf8')) as {
    packages: Record<string, { os?: string[]; cpu?: string[] }>;
  };
  const platforms = Object.values(packages).flatMap(({ os = [], cpu = [] }) =>
    os.flatMap((one) => cpu.map((arch) => `${one}-${arch}`)),
  );

  it.each(REQUIRED_PLATFORMS)('has %s', (platform) => {
    expect(platforms).toContain(platform);
  });
});

describe('nativeFamilies', () => {
  const family = (platforms: readonly string[]) => {
    const names = platforms.map((platform) => `@tool/cli-${platform}`);
    const packages = names.map((name, index) => {
      const [os, cpu] = platforms[index]?.split('-') ?? [];
      return `  '${name}@1.0.0':\n    resolution: {integrity: sha512-x}\n    cpu: [${cpu}]\n    os: [${os}]\n`;
    });
    const optional = names.map((name) => `      '${name}': 1.0.0\n`).join('');
    return `packages:\n\n${packages.join('\n')}\nsnapshots:\n\n  tool@1.0.0:\n    optionalDependencies:\n${optional}`;
  };

  it('finds nothing missing when all platforms are there', () => {
    expect(nativeFamilies(family(REQUIRED_PLATFORMS))).toMatchObject([{ parent: 'tool@1.0.0', missing: [] }]);
  });

  it.each(REQUIRED_PLATFORMS)('finds %s missing', (platform) => {
    const others = REQUIRED_PLATFORMS.filter((other) => other !== platform);
    expect(nativeFamilies(family(others))).toMatchObject([{ missing: [platform] }]);
  });
});
