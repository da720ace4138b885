/**
 * @typedef {{ summary: string, releases: readonly { name: string, type: string }[] }} Changeset - as @changesets/read gives it
 */

const HEADINGS = { major: 'Breaking', minor: 'New', patch: 'Mended' };
const UNRELEASED = /^## Unreleased\n+([\s\S]*?)(?=^## |(?![\s\S]))/m;

/**
 * The changelog with a release: what stood under "Unreleased", then the changesets, the weightiest first.
 * @param {string} changelog
 * @param {{ version: string, date: string, changesets: readonly Changeset[] }} release - date as 2026-01-31
 * @returns {string}
 */
export function withRelease(changelog, { version, date, changesets }) {
  const [, unreleased] = UNRELEASED.exec(changelog) ?? [];
  if (unreleased === undefined) throw new Error('The changelog has no part "## Unreleased".');
  const parts = Object.entries(HEADINGS).map(([type, heading]) => {
    const entries = changesets.filter((changeset) => weight(changeset) === type).map(entry);
    return entries.length === 0 ? '' : `### ${heading}\n\n${entries.join('\n')}`;
  });
  const body = [unreleased.trim(), ...parts].filter((part) => part !== '').join('\n\n');
  const text = `## Unreleased\n\n## ${version} - ${date}\n\n${body}\n\n`;
  return `${changelog.replace(UNRELEASED, () => text).trimEnd()}\n`;
}

/**
 * @param {string} changelog
 * @param {string} version
 * @returns {string | undefined} what it tells of a release, without the heading; undefined when it does not
 */
export function changesOf(changelog, version) {
  const parts = changelog.split(/^## /m);
  return parts.find((part) => part.startsWith(`${version} - `))?.replace(/^.*\n+/, '');
}

/**
 * What a changeset is to the package that it changes most.
 * @param {Changeset} changeset
 */
function weight({ releases }) {
  return Object.keys(HEADINGS).find((type) => releases.some((release) => release.type === type));
}

/** @param {Changeset} changeset */
function entry({ summary, releases }) {
  const names = releases.map(({ name }) => `\`${name.replace(/^@[^/]+\//, '')}\``).join(', ');
  return `- ${names}: ${summary.trim().replaceAll('\n', '\n  ')}`;
}
