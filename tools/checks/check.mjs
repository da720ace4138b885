// npm run check [-- <name>...]: every static check, or the named ones, each with its time. Needs the build.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { toolEnv } from '../bootstrap/process/tool-env.mjs';
import { repositoryRoot } from './project-files.mjs';

/** @type {Readonly<Record<string, string>>} */
const CHECKS = {
  lint: 'npm run -s lint',
  types: 'npm run -s types',
  proto: 'pnpm --filter @mlango/proto run lint',
  deps: 'depcruise --config .dependency-cruiser.cjs packages services deploy/mock-node bench/src examples tools/test-services/src',
  unused: 'knip --no-config-hints',
  migrations: 'node tools/checks/migrations.mjs',
  licenses: 'node tools/checks/licenses.mjs',
  sbom: 'pnpm sbom --sbom-format cyclonedx --prod --out artifacts/sbom.cdx.json',
  // The set-up trusts the lockfile; this command verifies it against minimumReleaseAge and trustPolicy.
  policies: 'pnpm install --frozen-lockfile --lockfile-only --ignore-scripts',
  // A registry without an audit endpoint is reported and passes.
  audit: 'pnpm audit --ignore-registry-errors',
  changesets: 'changeset status',
  openapi: 'node tools/checks/openapi.mjs',
  'bundle-size': 'node tools/checks/bundle-size.mjs',
  docs: 'node tools/site/build.mjs --check',
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(CHECKS);
const unknown = names.filter((name) => !(name in CHECKS));
if (unknown.length > 0) {
  console.error(`No check named ${unknown.join(', ')}. There are: ${Object.keys(CHECKS).join(', ')}`);
  process.exit(1);
}

const tools = toolEnv(process.env, repositoryRoot);
const env = { ...tools, PATH: [join(repositoryRoot, 'node_modules/.bin'), tools['PATH']].join(delimiter) };
mkdirSync(join(repositoryRoot, 'artifacts'), { recursive: true });
const results = names.map((name) => {
  console.log(`\n--- ${name}`);
  const startedAt = performance.now();
  const { status } = spawnSync(CHECKS[name] ?? '', { cwd: repositoryRoot, env, stdio: 'inherit', shell: true });
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  return { failed: status !== 0, line: `${name.padEnd(12)} ${status === 0 ? 'ok' : 'FAILED'} ${seconds} s` };
});
console.log(`\n${results.map(({ line }) => line).join('\n')}`);
process.exitCode = results.some(({ failed }) => failed) ? 1 : 0;
