import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenPolicies } from './policies.mjs';
import { repositoryRoot } from './project-files.mjs';

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
const INTEGRITY = `sha512-${Buffer.alloc(64).toString('base64')}`;
const PROVENANCE = { attestations: { provenance: { predicateType: 'https://slsa.dev/provenance/v1' } } };

/** How old the newer of a package's two releases is, and what proves the origin of the older one. */
const PACKAGES: Readonly<Record<string, { readonly ageMs: number; readonly before?: object }>> = {
  plain: { ageMs: 3 * DAY_MS + HOUR_MS },
  young: { ageMs: 3 * DAY_MS - HOUR_MS },
  downgraded: { ageMs: 30 * DAY_MS, before: PROVENANCE },
};

describe('the policies of this workspace', () => {
  const place = mkdtempSync(join(tmpdir(), 'policies-'));
  const policies = readFileSync(join(repositoryRoot, 'pnpm-workspace.yaml'), 'utf8').match(
    /^(pmOnFail|minimumReleaseAge|trustPolicy|blockExoticSubdeps)\w*:.*$/gm,
  );
  let registry: Server;
  let url: string;

  beforeAll(async () => {
    registry = createServer((request, response) => {
      const name = request.url?.slice(1) ?? '';
      const found = PACKAGES[name];
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found === undefined ? {} : packument(name, found)));
    });
    await new Promise<void>((resolve) => {
      registry.listen(0, '127.0.0.1', resolve);
    });
    url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  });

  afterAll(async () => {
    registry.closeAllConnections();
    await new Promise((resolve) => {
      registry.close(resolve);
    });
    rmSync(place, { recursive: true });
  });

  function packument(name: string, { ageMs, before }: { readonly ageMs: number; readonly before?: object }) {
    const release = (version: string, proof?: object) => {
      const tarball = `${url}${name}/-/${name}-${version}.tgz`;
      return { name, version, dist: { tarball, integrity: INTEGRITY, ...proof } };
    };
    const at = (ms: number) => new Date(Date.now() - ms).toISOString();
    return {
      name,
      'dist-tags': { latest: '1.1.0' },
      modified: at(ageMs),
      time: { created: at(90 * DAY_MS), modified: at(ageMs), '1.0.0': at(90 * DAY_MS), '1.1.0': at(ageMs) },
      versions: { '1.0.0': release('1.0.0', before), '1.1.0': release('1.1.0') },
    };
  }

  /** A workspace with these policies that has locked release 1.1.0 of one package. */
  function lockedTo(name: string, resolution = `{integrity: ${INTEGRITY}}`): string {
    const folder = mkdtempSync(join(place, `${name}-`));
    const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
    write('package.json', JSON.stringify({ private: true, dependencies: { [name]: '1.1.0' } }));
    write('pnpm-workspace.yaml', `${policies?.join('\n')}\n`);
    write('.npmrc', `registry=${url}\n`);
    const settings = 'settings:\n  autoInstallPeers: true\n  excludeLinksFromLockfile: false';
    const importer = `importers:\n\n  .:\n    dependencies:\n      ${name}:\n        specifier: 1.1.0\n        version: 1.1.0`;
    const packages = `packages:\n\n  ${name}@1.1.0:\n    resolution: ${resolution}`;
    const snapshots = `snapshots:\n\n  ${name}@1.1.0: {}`;
    write('pnpm-lock.yaml', `lockfileVersion: '9.0'\n\n${[settings, importer, packages, snapshots].join('\n\n')}\n`);
    return folder;
  }

  // What the pnpm of this machine has cached or is told by its user says nothing here.
  const judge = (folder: string) =>
    brokenPolicies(folder, { PATH: process.env['PATH'], SystemRoot: process.env['SystemRoot'], HOME: place });

  it('let a release pass that is three days old', async () => {
    expect(await judge(lockedTo('plain'))).toEqual([]);
  });

  it('refuse a locked release that is younger', async () => {
    expect(await judge(lockedTo('young'))).toEqual([expect.stringContaining('MINIMUM_RELEASE_AGE')]);
  });

  it('refuse a locked release that has lost the proof of its origin', async () => {
    expect(await judge(lockedTo('downgraded'))).toEqual([expect.stringContaining('TRUST_DOWNGRADE')]);
  });

  it('refuse what is locked to an address of its own', async () => {
    const resolution = `{integrity: ${INTEGRITY}, tarball: ${url}plain/-/plain-1.1.0.tgz}`;
    expect(await judge(lockedTo('plain', resolution))).toContainEqual(expect.stringContaining('not from the registry'));
  });
});
