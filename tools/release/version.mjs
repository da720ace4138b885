// npm run version: turns the changesets into a release. Writes the new version into every package.json, the Dockerfile and
// SECURITY.md, moves the changesets into CHANGELOG.md, and commits nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import getReleasePlan from '@changesets/get-release-plan';
import { migrationsToRelease, releasedMigrationsFile } from '../checks/migrations.mjs';
import { repositoryRoot } from '../checks/project-files.mjs';
import { withRelease } from './changelog.mjs';
import { releasesFile, releasesSoFar } from './release-before.mjs';
import { withSupported } from './supported.mjs';

/**
 * @param {string} file - relative to the repository
 * @param {(text: string) => string} change
 */
function edit(file, change) {
  const path = join(repositoryRoot, file);
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`${file} has nothing to change for this release`);
  writeFileSync(path, after);
}

const { changesets, releases } = await getReleasePlan(repositoryRoot);
const [version, ...others] = new Set(releases.map(({ newVersion }) => newVersion));
if (version === undefined) throw new Error('There is no changeset, so there is nothing to release.');
if (others.length > 0) throw new Error(`All packages have one version, not ${[version, ...others].join(', ')}.`);

edit('CHANGELOG.md', (text) => withRelease(text, { version, date: new Date().toISOString().slice(0, 10), changesets }));
edit('package.json', (text) => text.replace(/^( {2}"version": )".*"/m, `$1"${version}"`));
edit('deploy/Dockerfile', (text) => text.replace(/^ARG VERSION=.*$/m, `ARG VERSION=${version}`));
writeFileSync(join(repositoryRoot, releasedMigrationsFile), await migrationsToRelease(repositoryRoot));
const known = [...releasesSoFar(), { version, revision: `v${version}` }];
writeFileSync(join(repositoryRoot, releasesFile), `${JSON.stringify(known, null, 2)}\n`);
const security = join(repositoryRoot, 'SECURITY.md');
writeFileSync(security, withSupported(readFileSync(security, 'utf8'), version));
const changeset = join(repositoryRoot, 'node_modules/@changesets/cli/bin.js');
execFileSync(process.execPath, [changeset, 'version'], { cwd: repositoryRoot, stdio: 'inherit' });
