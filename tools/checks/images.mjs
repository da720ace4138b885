// npm run test:images: the commands of deploy/README.md and README.md word for word, on a Docker engine: the images build, all
// containers become healthy, calls answer as shown, also with the playground, two replicas of each service, and PgBouncer, and
// data is preserved by upgrade, roll back, restore and new secrets. With DEBIAN_IMAGE the images of other programs are built as
// in the README instead of pulled. Without an engine it is skipped, unless REQUIRE_IMAGES=1.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, runCommand } from '../bootstrap/process/run-command.mjs';
import { operationProblems } from './compose-operations.mjs';
import { repositoryRoot } from './project-files.mjs';
import { printedAsShown, shellBlocks } from './readme-blocks.mjs';
import { reportAndExit } from './report.mjs';

const SCRAPED_WITHIN_MS = 60_000;
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stop.abort());

// Leaves this machine unchanged: a copy of the repository, own names for containers, images and volumes, and the ports of the
// READMEs on an own loopback address, which curl connects to.
const project = `mlango-trial-${process.pid}`;
const place = mkdtempSync(join(tmpdir(), `${project}-`));
const clone = join(place, 'clone');
// Only Linux has all of 127.0.0.0/8.
const host = process.pid % 4_000_000;
const address =
  process.platform === 'linux' ? `127.${64 + (host >> 16)}.${(host >> 8) & 255}.${host & 255}` : '127.0.0.1';
const ownImages = ['REDIS', 'POSTGRES', 'PROXY', 'PROMETHEUS'].map((name) => [
  `${name}_IMAGE`,
  `${project}/${name.toLowerCase()}`,
]);
const env = {
  ...process.env,
  ...(process.env['DEBIAN_IMAGE'] ? Object.fromEntries(ownImages) : {}),
  COMPOSE_PROJECT_NAME: project,
  BIND_ADDRESS: address,
  IMAGE_PREFIX: project,
  // The backups go to ~.
  HOME: place,
  DOCKER_CONFIG: process.env['DOCKER_CONFIG'] ?? join(homedir(), '.docker'),
  CURL_HOME: place,
  DOCKER_BUILDKIT: '1',
};

/**
 * @param {string} commands - of bash
 * @param {string} [cwd]
 * @returns {Promise<string>} their standard output
 */
async function sh(commands, cwd = join(clone, 'deploy')) {
  return runCommand(['bash', '-euo', 'pipefail', '-c', commands], { cwd, env, signal: stop.signal }).catch((error) => {
    if (error instanceof CommandError) error.message = `${commands}\n${error.output}\n${error.message}`;
    throw error;
  });
}
const containers = 'docker ps --all --quiet --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME"';

/**
 * Runs README blocks. A wrong output is a problem; a command that fails ends the run.
 * @param {string} path
 * @param {(block: import('./readme-blocks.mjs').ShellBlock) => boolean} isWanted
 * @returns {Promise<string[]>} problems
 */
async function runBlocks(path, isWanted) {
  const blocks = shellBlocks(readFileSync(join(repositoryRoot, path), 'utf8')).filter(isWanted);
  if (blocks.length === 0) throw new Error(`${path} has none of the expected commands.`);
  const problems = [];
  for (const { line, commands, output } of blocks) {
    const startedAt = performance.now();
    const printed = await sh(commands);
    console.log(`${path}:${line} (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)`);
    if (output === undefined || printedAsShown(output, printed)) continue;
    problems.push(`${path}:${line}: the commands\n${commands}\nprint\n${printed}\nwhere the README shows\n${output}`);
  }
  return problems;
}

/** @type {import('./compose-operations.mjs').Deployment['section']} */
const section = (heading, isWanted = () => true) =>
  runBlocks('deploy/README.md', (block) => block.under.at(-1) === heading && isWanted(block));
const hasOutput = (/** @type {import('./readme-blocks.mjs').ShellBlock} */ { output }) => output !== undefined;

/** Secrets must not show in `docker inspect`, and only their reader may open their files. */
async function secretProblems() {
  const secrets = await sh(`docker compose run --rm -T secrets sh -c 'cd /secrets && grep -H . *'`);
  const inspected = await sh(`docker inspect $(${containers})`);
  const named = secrets
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(/:(.*)/));
  // A DID is public.
  const shown = named.filter(([name, value = '']) => name !== 'oracle-did' && inspected.includes(value));
  const modes = await sh(`docker compose run --rm -T secrets sh -c "stat -c '%a %u %n' /secrets /secrets/*"`);
  const [folder = '', ...files] = modes.trim().split('\n');
  const open = [
    ...(folder.startsWith('700 ') ? [] : [folder]),
    ...files.filter((file) => !/^600 (999|1000|472|65534) /.test(file)),
  ];
  return [
    ...(named.length > 10 ? [] : ['there are hardly any secrets']),
    ...shown.map(([name]) => `docker inspect shows the secret ${name}`),
    ...open.map((file) => `can be opened by others: ${file}`),
  ];
}

/** Prometheus scrapes the three services, evaluates every rule, and no alert fires. */
async function prometheusProblems() {
  const query = async (/** @type {string} */ path) =>
    JSON.parse(await sh(`docker compose exec -T prometheus wget -q -O - 'http://127.0.0.1:9090/api/v1/${path}'`)).data;
  /** @type {{ health: string }[]} */
  let targets = [];
  const allUp = () => targets.length === 3 && targets.every(({ health }) => health === 'up');
  for (const deadline = Date.now() + SCRAPED_WITHIN_MS; !allUp() && Date.now() < deadline; await sleep(1_000)) {
    targets = (await query('targets?state=active')).activeTargets;
  }
  /** @type {{ groups: { rules: { name: string, health: string, state: string }[] }[] }} */
  const { groups } = await query('rules');
  const rules = groups.flatMap((group) => group.rules);
  return [
    ...(allUp() ? [] : [`Prometheus does not scrape three services: ${JSON.stringify(targets)}`]),
    ...(rules.length > 10 ? [] : ['Prometheus has hardly any rules']),
    ...rules.filter(({ health }) => health === 'err').map(({ name }) => `Prometheus cannot evaluate ${name}`),
    ...rules.filter(({ state }) => state === 'firing').map(({ name }) => `${name} fires without a reason`),
  ];
}

/** Long polling of Socket.IO finds the replica of its session, in as many sessions as make luck unlikely. */
async function pollingProblems() {
  const url = 'http://oracle.localhost:8080/socket.io/?EIO=4&transport=polling&sessionId';
  const answers = await sh(`
    for session in $(seq 12); do
      sid=$(curl -sS "${url}=$session" | sed -n 's/.*"sid":"\\([^"]*\\)".*/\\1/p')
      curl -sS "${url}=$session&sid=$sid" -d 40
      echo
    done`);
  return answers
    .trim()
    .split('\n')
    .filter((answer) => answer !== 'ok')
    .map((answer) => `a poll did not find its replica: ${answer}`);
}

/** Every container ended with exit code 0. */
async function exitProblems() {
  const states = await sh(`docker inspect --format '{{.Name}} {{.State.Status}} {{.State.ExitCode}}' $(${containers})`);
  return states
    .trim()
    .split('\n')
    .filter((end) => !/ exited 0$/.test(end))
    .map((end) => `did not end with exit code 0: ${end}`);
}

async function allProblems() {
  mkdirSync(clone);
  await sh(
    `git ls-files -z --cached --others --exclude-standard --deduplicate | tar --null -T - -cf - | tar -xf - -C '${clone}'`,
    repositoryRoot,
  );
  const commit =
    'git add --all --force && git -c user.name=trial -c user.email=trial@localhost commit --quiet -m trial';
  await sh(
    `git init --quiet && git remote add origin '${clone}' && ${commit} && git tag EARLIER
    echo 'LABEL release=NEXT' >> deploy/Dockerfile && ${commit} && git tag NEXT && git checkout --quiet EARLIER`,
    clone,
  );
  const connectTo = ['ussd', 'oracle', 'chain', 'playground'].map((name) => [`${name}.localhost`, 8080]);
  const addresses = [...[3000, 3001, 3002, 3003].map((port) => ['127.0.0.1', port]), ...connectTo];
  const curlrc = addresses.map(([name, port]) => `connect-to = "${name}:${port}:${address}:${port}"\n`);
  writeFileSync(join(place, '.curlrc'), curlrc.join(''));
  const firstReplicas = ['ussd-gateway', 'oracle-api', 'proto-gateway'].map((service) => `${project}-${service}-1`);
  return [
    ...(await section('One machine')),
    ...(process.env['DEBIAN_IMAGE'] ? await section('Without an image registry') : []),
    ...(await section('Start')),
    ...(await section('Try it')),
    // Blocks that need a token of a service on this machine are tried by the tests.
    ...(await runBlocks('README.md', ({ commands }) => /^curl /m.test(commands) && !commands.includes('npm run'))),
    ...(await secretProblems()),
    ...(await section('The playground')),
    ...(await section('Dashboards and alerts')),
    ...(await prometheusProblems()),
    ...(await section('Several replicas')),
    ...(await pollingProblems()),
    ...(await sh(`docker stop ${firstReplicas.join(' ')}`).then(() => section('Several replicas', hasOutput))),
    ...(await operationProblems({ sh, section })),
    ...(await runBlocks('docs/operations/pools.md', ({ under }) => under.at(-1) === 'With Compose')),
    ...(await section('Several replicas', hasOutput)),
    ...(await section('Stopping')),
    ...(await exitProblems()),
  ];
}

async function removeAll() {
  // As root in a container, where the files of secrets/ belong to others; the builder's cache stays.
  const commands = `docker compose --profile '*' down --volumes --remove-orphans --timeout 5
    docker image ls --quiet "$IMAGE_PREFIX/*" | sort -u | xargs --no-run-if-empty docker image rm --force`;
  await runCommand(['bash', '-c', commands], { cwd: join(clone, 'deploy'), env }).catch((error) =>
    console.error(error.output),
  );
}

const hasEngine = await sh('docker version && docker compose version', place).then(
  () => true,
  () => false,
);
try {
  if (hasEngine) {
    const problems = await allProblems().catch(async (error) => {
      const logs = await sh("docker compose --profile '*' logs --no-color --tail 15").catch(() => '');
      return [`${error instanceof Error ? error.message : error}\n${logs}`];
    });
    await removeAll();
    reportAndExit('images', problems);
  } else if (process.env['REQUIRE_IMAGES'] === '1') {
    reportAndExit('images', ['There is no Docker engine with Compose, and REQUIRE_IMAGES=1 asks for one.']);
  } else {
    console.log('images: skipped, there is no Docker engine with Compose');
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}
