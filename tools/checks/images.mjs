// What deploy/README.md says, word for word: the images, the compose file, its calls and what they answer, with the playground
// and with two replicas of each service. Needs a Docker engine. Without one it is skipped, unless REQUIRE_IMAGES=1. With
// DEBIAN_IMAGE the images of other people's programs are made on that as the README says, and else come from a registry.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, runCommand } from '../bootstrap/process/run-command.mjs';
import { printedAsShown } from './images/expected-output.mjs';
import { factsOfRunning, lostPolls, stopFirstReplicas, unevenEnds, unwatchedDoors } from './images/facts.mjs';
import { shellBlocks } from './images/readme-blocks.mjs';
import { Trial } from './images/trial.mjs';
import { repositoryRoot } from './project-files.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

/** @typedef {import('./images/readme-blocks.mjs').ShellBlock} ShellBlock */

/** @param {string} path */
const blocksOf = (path) =>
  shellBlocks(readFileSync(join(repositoryRoot, path), 'utf8')).map((block) => ({ ...block, path }));

async function hasEngine() {
  const command = ['bash', '-c', 'docker version && docker compose version'];
  return runCommand(command, { cwd: repositoryRoot, env: process.env }).then(
    () => true,
    () => false,
  );
}

/**
 * Runs a block; what is wrong with what it prints is told, and a command that fails ends the trial.
 * @param {Trial} trial
 * @param {ShellBlock & { path: string }} block
 * @returns {Promise<string[]>}
 */
async function run(trial, { path, line, commands, output }) {
  const startedAt = performance.now();
  const first = commands.split('\n').find((each) => !each.startsWith('#'));
  const printed = await trial.sh(commands).catch(async (error) => {
    if (error instanceof CommandError) error.message = `${path}:${line}: ${error.message}\n${await trial.lastWords()}`;
    throw error;
  });
  console.log(`${path}:${line}  ${first} (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)`);
  if (output === undefined || printedAsShown(output, printed)) return [];
  return [`${path}:${line}: the commands\n${commands}\nprint\n${printed}\nwhere the README shows\n${output}`];
}

/**
 * @param {Trial} trial
 * @returns {Promise<string[]>} all that is wrong
 */
async function problemsOf(trial) {
  const all = blocksOf('deploy/README.md').filter(({ under }) => under.includes('One machine'));
  const calls = blocksOf('README.md').filter(({ commands }) => /^curl /m.test(commands));
  /** @type {string[]} */
  const problems = [];
  /** @param {readonly (ShellBlock & { path: string })[]} blocks */
  const runAll = async (blocks) => {
    for (const block of blocks) problems.push(...(await run(trial, block)));
  };
  /** @param {string} heading */
  const section = (heading) => {
    const blocks = all.filter((block) => block.heading === heading);
    if (blocks.length === 0) throw new Error(`deploy/README.md has no commands under "${heading}".`);
    return blocks;
  };

  await trial.copyRepository();
  await runAll(section('One machine'));
  if (process.env['DEBIAN_IMAGE']) await runAll(section('Without an image registry'));
  await runAll(section('Start'));
  await runAll(section('Try it'));
  await runAll(calls);
  problems.push(...(await factsOfRunning(trial)));
  await runAll(section('The playground'));
  await runAll(section('Dashboards and alerts'));
  problems.push(...(await unwatchedDoors(trial)));
  await runAll(section('Several replicas'));
  problems.push(...(await lostPolls(trial)));
  await stopFirstReplicas(trial);
  await runAll(section('Several replicas').filter(({ output }) => output !== undefined));
  await runAll(section('Stopping'));
  problems.push(...(await unevenEnds(trial)));
  return problems;
}

if (runsDirectly(import.meta.url)) {
  if (await hasEngine()) {
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stop.abort());
    const trial = new Trial(stop.signal);
    try {
      reportAndExit('images', await problemsOf(trial));
    } catch (error) {
      reportAndExit('images', [error instanceof Error ? error.message : String(error)]);
    } finally {
      await trial.remove();
    }
  } else if (process.env['REQUIRE_IMAGES'] === '1') {
    reportAndExit('images', ['There is no Docker engine with Compose, and REQUIRE_IMAGES=1 asks for one.']);
  } else {
    console.log('images: skipped, there is no Docker engine with Compose (DOCKER_HOST, or the one of the machine)');
  }
}
