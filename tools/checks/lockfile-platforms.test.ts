import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { repositoryRoot } from './project-files.mjs';

/** pnpm drops a platform from the lockfile without a message when its package is missing in the registry. */
const REQUIRED = ['darwin-arm64', 'darwin-x64', 'win32-x64', 'linux-x64', 'linux-arm64'];

interface NativePackage {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}
interface Lockfile {
  readonly packages: Readonly<Record<string, NativePackage>>;
  readonly snapshots: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;
}

const isNative = ({ os, cpu }: NativePackage) => os !== undefined || cpu !== undefined;

function platformsOf({ os = ['darwin', 'linux', 'win32'], cpu = ['x64', 'arm64'], libc }: NativePackage): string[] {
  // A package for musl does not run with the glibc that most machines have.
  if (libc !== undefined && !libc.includes('glibc')) return [];
  return os.flatMap((system) => cpu.map((arch) => `${system}-${arch}`));
}

/** Packages that choose one native package per platform: the platforms that are not locked. */
function nativeFamilies({ packages, snapshots }: Lockfile) {
  return Object.entries(snapshots).flatMap(([parent, { optionalDependencies = {} }]) => {
    const members = Object.entries(optionalDependencies)
      .map(([name, version]) => `${name}@${version.replace(/\(.*$/, '')}`)
      .filter((name) => isNative(packages[name] ?? {}));
    const covered = new Set(members.flatMap((name) => platformsOf(packages[name] ?? {})));
    // A single member is an addition for one system, such as a file watcher for macOS.
    return members.length > 1 ? [{ parent, members, missing: REQUIRED.filter((one) => !covered.has(one)) }] : [];
  });
}

const lockfile = parse(
  readFileSync(join(repositoryRoot, 'pnpm-lock.yaml'), 'utf8').split(/^---$/m).at(-1) ?? '',
) as Lockfile;
const families = nativeFamilies(lockfile);

describe('pnpm-lock.yaml', () => {
  it('has native packages', () => {
    expect(families.map(({ parent }) => parent.replace(/@[^@]*$/, ''))).toEqual(
      expect.arrayContaining(['@biomejs/biome', '@bufbuild/buf', 'esbuild', 'turbo', 'typescript']),
    );
  });

  it.each(families.map(({ parent, missing }) => [parent, missing]))('locks %s for every platform', (_, missing) => {
    expect(missing).toEqual([]);
  });

  it('has no native package outside these families except additions for one system', () => {
    const members = new Set(families.flatMap((family) => family.members));
    const others = Object.entries(lockfile.packages).filter(([name, one]) => isNative(one) && !members.has(name));
    expect(others.map(([name]) => name).filter((name) => !name.startsWith('fsevents@'))).toEqual([]);
  });

  it.each(REQUIRED)('is reported when %s is missing', (platform) => {
    const kept = REQUIRED.filter((one) => one !== platform).map((one) => one.split('-'));
    const packages = Object.fromEntries(
      kept.map(([os = '', cpu = '']) => [`tool-${os}-${cpu}@1.0.0`, { os: [os], cpu: [cpu] }]),
    );
    const optionalDependencies = Object.fromEntries(kept.map(([os, cpu]) => [`tool-${os}-${cpu}`, '1.0.0']));
    expect(nativeFamilies({ packages, snapshots: { tool: { optionalDependencies } } })).toMatchObject([
      { missing: [platform] },
    ]);
  });
});

describe('the lockfile of the pinned pnpm', () => {
  const { packages } = JSON.parse(
    readFileSync(join(repositoryRoot, 'tools/pnpm/package-lock.json'), 'utf8'),
  ) as Lockfile;
  const platforms = Object.values(packages).filter(isNative).flatMap(platformsOf);

  it.each(REQUIRED)('has %s', (platform) => expect(platforms).toContain(platform));
});
