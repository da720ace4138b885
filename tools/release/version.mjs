import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import getReleasePlan from '@changesets/get-release-plan';
import { migrationsToRelease, releasedMigrationsFile } from '../checks/migrations.mjs';
import { repositoryRoot } from '../checks/project-files.mjs';
import { releasesFile, releasesSoFar } from './test-upgrade.mjs';

/** Files with the version besides the manifests of the workspace. */
export const HAVE_VERSION = [
  'package.json',
  'deploy/Dockerfile',
  'deploy/k8s/README.md',
  'deploy/k8s/production/kustomization.yaml',
  'deploy/k8s/small/kustomization.yaml',
];

/**
 * @param {string} changelog
 * @param {string} heading - of the release, as `0.2.0 - 2026-01-31`
 * @param {readonly { summary: string }[]} changesets
 * @returns {string} the changelog with the release above the earlier releases
 */
export function withRelease(changelog, heading, changesets) {
  const lines = changesets.map(({ summary }) => `- ${summary.trim().replaceAll('\n', '\n  ')}\n`);
  const at = `${changelog}\n## `.indexOf('\n## ') + 1;
  return `${changelog.slice(0, at)}## ${heading}\n\n${lines.join('')}\n${changelog.slice(at)}`;
}

/** Writes the version of the changesets into manifests, changelog, image labels and the record of releases. */
export async function prepareVersion() {
  const { changesets, releases } = await getReleasePlan(repositoryRoot);
  const [{ oldVersion, newVersion: version } = {}] = releases;
  if (!oldVersion || !version) throw new Error('There is no changeset, so there is nothing to release.');
  const migrations = await migrationsToRelease(repositoryRoot);
  const heading = `${version} - ${new Date().toISOString().slice(0, 10)}`;
  const known = [...releasesSoFar(), { version, revision: `v${version}` }];
  const withVersion = (/** @type {string} */ text) => text.replaceAll(oldVersion, version);
  /** @type {Record<string, (text: string) => string>} */
  const edits = {
    ...Object.fromEntries(HAVE_VERSION.map((file) => [file, withVersion])),
    'CHANGELOG.md': (text) => withRelease(text, heading, changesets),
    'SECURITY.md': (text) => text.replace(/^\| \d+\.\d+\.x \| yes/m, `| ${version.replace(/\d+$/, 'x')} | yes`),
    [releasedMigrationsFile]: () => migrations,
    [releasesFile]: () => `${JSON.stringify(known, null, 2)}\n`,
  };
  for (const [file, edit] of Object.entries(edits)) {
    const path = join(repositoryRoot, file);
    writeFileSync(path, edit(readFileSync(path, 'utf8')));
  }
  const changeset = join(repositoryRoot, 'node_modules/@changesets/cli/bin.js');
  execFileSync(process.execPath, [changeset, 'version'], { cwd: repositoryRoot, stdio: 'inherit' });
}
