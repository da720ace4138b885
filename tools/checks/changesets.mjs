// Every changeset can become a line of the changelog and a version: it names packages that are there, and says something.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import getReleasePlan from '@changesets/get-release-plan';
import { repositoryRoot } from './project-files.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

const SUMMARY_LIMIT = 800;

/**
 * @param {string} root - of a workspace
 * @returns {Promise<string[]>} what is wrong with its changesets
 */
export async function badChangesets(root) {
  const files = readdirSync(join(root, '.changeset')).filter((file) => file !== 'config.json');
  const strays = files.filter((file) => !/^[a-z0-9-]+\.md$/.test(file)).map((file) => `${file} is no changeset`);
  try {
    const { changesets, releases } = await getReleasePlan(root);
    const versions = new Set(releases.map(({ newVersion }) => newVersion));
    return [
      ...strays,
      ...(versions.size > 1 ? [`packages would get different versions: ${[...versions].join(', ')}`] : []),
      ...changesets.flatMap(({ id, summary, releases: named }) => [
        ...(named.length > 0 ? [] : [`${id} names no package`]),
        ...(/^[A-Z`][\s\S]*\.$/.test(summary) && summary.length <= SUMMARY_LIMIT
          ? []
          : [`${id} must be a few plain sentences, at most ${SUMMARY_LIMIT} characters`]),
      ]),
    ];
  } catch (error) {
    return [...strays, error instanceof Error ? error.message : String(error)];
  }
}

if (runsDirectly(import.meta.url)) reportAndExit('changesets', await badChangesets(repositoryRoot));
