import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../repository.mjs';
import { installStamp, isInstalled, workspaceManifests } from './install-stamp.mjs';

let root: string;

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mlango-stamp-'));
  write('package.json', '{"devDependencies":{"one":"1.0.0"}}');
  write('pnpm-lock.yaml', 'lockfileVersion: 9');
  write('pnpm-workspace.yaml', "packages:\n  # all of them\n  - packages/*\n\n  - 'proto'\n\ncatalog:\n  - no/*\n");
  write('packages/a/package.json', '{"dependencies":{"two":"1.0.0"}}');
  write('packages/no-manifest/readme.md', '');
  write('proto/package.json', '{}');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('workspaceManifests', () => {
  it('follows the folders of pnpm-workspace.yaml', () => {
    expect(workspaceManifests(root)).toEqual(['packages/a/package.json', 'proto/package.json']);
  });

  it('finds the packages of this repository', () => {
    expect(workspaceManifests(repositoryRoot)).toEqual(
      expect.arrayContaining([
        'packages/crypto/package.json',
        'services/oracle-api/package.json',
        'proto/package.json',
      ]),
    );
  });
});

describe('installStamp', () => {
  it('stays the same while nothing changes', () => {
    const before = installStamp(root);
    write('packages/a/src/main.ts', 'code is not a manifest');
    expect(installStamp(root)).toBe(before);
  });

  it.each([
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    '.npmrc',
    'packages/a/package.json',
    'packages/new/package.json',
    'patches/one@1.0.0.patch',
  ])('changes with %s', (file) => {
    const before = installStamp(root);
    write(file, '{"packages":"changed"}');
    if (file === 'pnpm-workspace.yaml') write(file, 'packages:\n  - packages/*\n');
    expect(installStamp(root)).not.toBe(before);
  });
});

describe('isInstalled', () => {
  it('sees a package whose modules are gone', () => {
    write('node_modules/one/package.json', '{}');
    expect(isInstalled(root)).toBe(false);
    write('packages/a/node_modules/two/package.json', '{}');
    expect(isInstalled(root)).toBe(true);
  });
});
