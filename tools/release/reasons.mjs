import { changesOf } from './changelog.mjs';

/**
 * Why this commit is no release.
 * @param {object} state
 * @param {string} state.version - that every manifest has
 * @param {string} state.changelog
 * @param {readonly string[]} state.changesets - files that no release has taken in
 * @param {string} state.dirty - what git says of the working tree
 * @param {string} state.commit
 * @param {string | undefined} state.tagged - the commit that bears the version's tag
 * @returns {string[]} sentences; none for a release
 */
export function reasonsNotToRelease({ version, changelog, changesets, dirty, commit, tagged }) {
  return [
    changesets.length > 0 && `${changesets.length} changesets are in no release: \`npm run version\` first.`,
    changesOf(changelog, version) === undefined && `CHANGELOG.md does not tell of ${version}.`,
    dirty !== '' && 'The working tree has changes that are in no commit.',
    tagged !== undefined && tagged !== commit && `v${version} is the tag of another commit, ${tagged}.`,
  ].filter((reason) => reason !== false);
}
