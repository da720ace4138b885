import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifestIn, PUBLISHED } from '../checks/packing.mjs';
import { repositoryRoot } from '../checks/project-files.mjs';
import { billOf } from './bill.mjs';
import { provenanceOf } from './provenance.mjs';
import { reasonsNotToRelease } from './reasons.mjs';
import { withSupported } from './supported.mjs';

const { version } = manifestIn(repositoryRoot);
const clean = {
  version: '0.3.0',
  changelog: '# Changelog\n\n## Unreleased\n\n## 0.3.0 - 2026-02-01\n\n- New.\n',
  changesets: [],
  dirty: '',
  commit: 'c1',
  tagged: undefined,
};

describe('reasonsNotToRelease', () => {
  it('has none against a commit that is a release, also a second time', () => {
    expect(reasonsNotToRelease(clean)).toEqual([]);
    expect(reasonsNotToRelease({ ...clean, tagged: 'c1' })).toEqual([]);
  });

  it.each([
    ['a changeset that is in none', { changesets: ['one.md'] }],
    ['a version that the changelog does not know', { version: '0.4.0' }],
    ['changes in the working tree', { dirty: ' M README.md' }],
    ['the tag of another commit', { tagged: 'c0' }],
  ])('names %s', (_name, change) => expect(reasonsNotToRelease({ ...clean, ...change })).toHaveLength(1));
});

describe('the bill of materials of a package', () => {
  it('names what it needs at run time, and is the same each time', async () => {
    const bill = await billOf('@mlango/schemas', 1_700_000_000);
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { timestamp: '2023-11-14T22:13:20.000Z' } });
    expect(bill['components']).toMatchObject([{ name: 'zod' }]);
    expect(bill['serialNumber']).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    const long = await Promise.all([1, 2, 3].map(() => billOf('@mlango/service-kit', 1_700_000_000)));
    expect(long[0]?.['components']).not.toEqual([]);
    expect(new Set(long.map((one) => JSON.stringify(one))).size).toBe(1);
  });
});

describe('the provenance', () => {
  const subject = { name: 'packages/a.tgz', digest: { sha256: 'ab' } };
  const build = { version: '0.3.0', commit: 'c1', lockfile: 'cd' };

  it('says what was built from what, by whom', () => {
    const env = {
      RELEASE_BUILDER: 'https://ci.example/x',
      RELEASE_SOURCE: 'https://example.org/r',
      RELEASE_INVOCATION: 'run-7',
    };
    expect(provenanceOf([subject], { ...build, env })).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [subject],
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          externalParameters: { version: '0.3.0', source: 'https://example.org/r', ref: 'refs/tags/v0.3.0' },
          resolvedDependencies: [{ digest: { gitCommit: 'c1' } }, { digest: { sha256: 'cd' } }],
        },
        runDetails: { builder: { id: 'https://ci.example/x' }, metadata: { invocationId: 'run-7' } },
      },
    });
  });

  it('claims no builder that nobody has named', () => {
    const { runDetails } = provenanceOf([subject], { ...build, env: {} }).predicate;
    expect(runDetails).toEqual({ builder: { id: 'urn:mlango:builder:by-hand' } });
  });
});

describe('one version', () => {
  it.each(PUBLISHED)('%s has that of the repository', (folder) => {
    expect(manifestIn(join(repositoryRoot, folder)).version).toBe(version);
  });

  it('is the one that SECURITY.md supports, and a release writes it there', () => {
    const text = readFileSync(join(repositoryRoot, 'SECURITY.md'), 'utf8');
    expect(withSupported(text, version)).toBe(text);
    expect(withSupported(text, '7.8.9')).toContain('| 7.8.x | yes |');
    expect(withSupported(withSupported(text, '7.8.9'), version)).toBe(text);
  });
});
