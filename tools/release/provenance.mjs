/**
 * What was built from what and by whom: an in-toto statement with a predicate of SLSA provenance v1. It is not signed here; whoever builds has the key.
 * @param {readonly { name: string, digest: { sha256: string } }[]} subjects - all that is given out
 * @param {{ version: string, commit: string, lockfile: string, env: NodeJS.ProcessEnv }} build - digest of the lockfile in hex
 */
export function provenanceOf(subjects, { version, commit, lockfile, env }) {
  const source = env['RELEASE_SOURCE'] || 'repository';
  const invocation = env['RELEASE_INVOCATION'];
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:mlango:release:1',
        externalParameters: { version, source, ref: `refs/tags/v${version}` },
        internalParameters: { node: process.versions.node },
        resolvedDependencies: [
          { uri: `git+${source}`, digest: { gitCommit: commit } },
          { uri: 'pnpm-lock.yaml', digest: { sha256: lockfile } },
        ],
      },
      runDetails: {
        builder: { id: env['RELEASE_BUILDER'] || 'urn:mlango:builder:by-hand' },
        ...(invocation === undefined ? {} : { metadata: { invocationId: invocation } }),
      },
    },
  };
}
