import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../bootstrap/process/run-command.mjs';
import { toolEnv } from '../bootstrap/process/tool-env.mjs';
import { PUBLISHED } from '../checks/packing.mjs';
import { repositoryRoot } from '../checks/project-files.mjs';
import { reportAndExit } from '../checks/report.mjs';
import { loopbackRegistry } from './loopback-registry.mjs';

const CHANGESET = '---\n"@mlango/crypto": patch\n---\n\nA release is tried.\n';
const AUTHOR = ['-c', 'user.name=Trial', '-c', 'user.email=trial@example.org'];
const USE = "console.log(typeof (await import('@mlango/oracle-api/create-oracle-app')).createOracleApp)";

/**
 * Makes a release in a fresh clone, publishes it twice to a registry on loopback, and installs it from there.
 * @param {string[]} options - of `publish`
 */
export async function tryRelease(options) {
  const place = mkdtempSync(join(tmpdir(), 'release-trial-'));
  const [clone, app] = [join(place, 'clone'), join(place, 'app')];
  const registry = await loopbackRegistry();
  const env = { ...toolEnv(process.env, clone), TURBO_CACHE_DIR: join(repositoryRoot, '.turbo/cache') };
  const run = (/** @type {string} */ cwd, /** @type {string[]} */ ...command) => {
    console.log(command.join(' '));
    return runCommand(command, { cwd, env });
  };
  const release = (/** @type {string[]} */ ...args) => run(clone, 'npm', 'run', 'release', '--', ...args);
  const sums = (/** @type {string} */ folder) => readFileSync(join(place, folder, 'SHA256SUMS'), 'utf8');
  const missing = (/** @type {string} */ output, /** @type {string} */ outcome) =>
    PUBLISHED.length !== output.split(`: ${outcome}\n`).length - 1 && `not every package is ${outcome}:\n${output}`;

  try {
    await run(place, 'git', 'clone', '--quiet', repositoryRoot, clone);
    await run(clone, 'npm', 'run', 'setup');
    writeFileSync(join(clone, '.changeset/trial.md'), CHANGESET);
    appendFileSync(join(clone, '.npmrc'), registry.npmrc);
    await release('version');
    await run(clone, 'git', ...AUTHOR, 'commit', '--quiet', '--all', '--message', 'Release');
    await release('build', join(place, 'first'));
    await release('build', join(place, 'second'));
    const published = await release('publish', join(place, 'first'), ...options);
    const again = await release('publish', join(place, 'second'));
    mkdirSync(app);
    writeFileSync(join(app, '.npmrc'), registry.npmrc);
    await run(app, 'npm', 'install', '--ignore-scripts', '--prefer-offline', '@mlango/oracle-api');
    const used = await run(app, process.execPath, '--input-type=module', '--eval', USE);
    const problems = [
      sums('first') !== sums('second') && `two builds differ:\n${sums('first')}\n${sums('second')}`,
      missing(published, 'published'),
      missing(again, 'already published'),
      used.trim() !== 'function' && `the installed oracle-api exports ${used.trim()} for createOracleApp`,
    ].filter((problem) => problem !== false);
    reportAndExit('release', problems);
  } finally {
    registry.close();
    rmSync(place, { recursive: true, force: true });
  }
}
