// npm run release:trial [-- --images]: a release as CONTRIBUTING.md tells it, from a fresh clone of what is committed here into a local folder and a
// registry of this process, and what comes of it: all digests are right, made again from the same commit all is the same, published again it is there
// already, and an installer gets it. Nothing of it reaches this repository. With --images the images go the same way, on the engine of this machine and over
// a registry of theirs; how they work is what `npm run images` tries.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../bootstrap/process/run-command.mjs';
import { toolEnv } from '../bootstrap/process/tool-env.mjs';
import { manifestIn, PUBLISHED } from '../checks/packing.mjs';
import { repositoryRoot } from '../checks/project-files.mjs';
import { reportAndExit } from '../checks/report.mjs';
import { imageRegistry } from './image-registry.mjs';
import { loopbackRegistry } from './loopback-registry.mjs';

const options = process.argv.slice(2);
if (options.some((option) => option !== '--images')) {
  console.error('npm run release:trial [-- --images]');
  process.exit(2);
}
const place = mkdtempSync(join(tmpdir(), 'release-trial-'));
const clone = join(place, 'clone');
const loopback = await loopbackRegistry();
const userconfig = join(place, 'npmrc');
writeFileSync(userconfig, loopback.npmrc);
// What was built here of the same sources is taken from there.
const env = {
  ...toolEnv(process.env, clone),
  TURBO_CACHE_DIR: join(repositoryRoot, '.turbo/cache'),
  GIT_AUTHOR_NAME: 'Trial',
  GIT_AUTHOR_EMAIL: 'trial@example.org',
  GIT_COMMITTER_NAME: 'Trial',
  GIT_COMMITTER_EMAIL: 'trial@example.org',
};

/** @type {Awaited<ReturnType<typeof imageRegistry>> | undefined} */
let images;

/**
 * @param {readonly string[]} command
 * @param {{ cwd?: string, more?: NodeJS.ProcessEnv }} [options]
 */
async function run(command, { cwd = clone, more = {} } = {}) {
  const startedAt = performance.now();
  const printed = await runCommand(command, { cwd, env: { ...env, ...more } });
  console.log(`${command.join(' ')} (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)`);
  return printed;
}
const out = (/** @type {string} */ name) => join(place, name);

/** @returns {Promise<string[]>} what is wrong */
async function problems() {
  if (options.includes('--images')) images = await imageRegistry({ name: `mlango-release-${process.pid}`, place, env });
  if (images !== undefined) Object.assign(env, { IMAGE_PREFIX: images.prefix });
  await run(['git', 'clone', '--quiet', repositoryRoot, clone], { cwd: place });
  await run(['npm', 'run', 'setup']);
  await run(['npm', 'run', 'version']);
  const { version } = manifestIn(clone);
  await run(['git', 'commit', '--quiet', '--all', '--message', `Release ${version}`]);
  await run(['npm', 'run', 'release', '--', out('first'), ...options]);
  await run(['npm', 'run', 'release', '--', out('again')]);
  await run(['sha256sum', '--check', '--quiet', 'SHA256SUMS'], { cwd: out('first') });
  // What tells of images names a digest with the time of their making in it.
  const [first, again] = ['first', 'again'].map((name) =>
    readFileSync(join(out(name), 'SHA256SUMS'), 'utf8').replace(/^.*image.*\n/gm, ''),
  );
  const tagged = (await run(['git', 'tag', '--points-at', 'HEAD'])).trim();

  const publish = () =>
    run(['npm', 'run', 'release:publish', '--', out('first')], { more: { NPM_CONFIG_USERCONFIG: userconfig } });
  const published = [await publish(), await publish()];
  const counts = published.map((text) => [count(text, /: published$/gm), count(text, /: there already$/gm)].join(' '));

  const app = out('app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{"private":true,"type":"module"}');
  writeFileSync(join(app, '.npmrc'), `@mlango:registry=${loopback.address}\n`);
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await run(['npm', ...install, '--cache', out('cache'), `@mlango/oracle-api@${version}`], { cwd: app });
  const use = "console.log(typeof (await import('@mlango/oracle-api/create-oracle-app')).createOracleApp)";
  const used = (await run([process.execPath, '--input-type=module', '-e', use], { cwd: app })).trim();

  return [
    first !== again && `made again it is another:\n${first}\n${again}`,
    tagged !== `v${version}` && `the release is tagged ${tagged || 'by nothing'}, not v${version}`,
    counts[0] !== `${PUBLISHED.length} 0` && `not all is published:\n${published[0]}`,
    counts[1] !== `0 ${PUBLISHED.length}` && `not all is there already:\n${published[1]}`,
    used !== 'function' && `who installs it gets ${used} for createOracleApp`,
    ...(images === undefined ? [] : await images.lostOf(out('first'), published[0] ?? '')),
  ].filter((problem) => problem !== false);
}

/** @param {string} text @param {RegExp} pattern */
function count(text, pattern) {
  return [...text.matchAll(pattern)].length;
}

try {
  reportAndExit('release', await problems());
} finally {
  await images?.remove();
  await loopback.close();
  rmSync(place, { recursive: true, force: true });
}
