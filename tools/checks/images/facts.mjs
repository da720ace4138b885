import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('./trial.mjs').Trial} Trial */

/**
 * Facts that hold while all runs, and that no command of a README shows. Each gives what is wrong.
 * @param {Trial} trial
 * @returns {Promise<string[]>}
 */
export async function factsOfRunning(trial) {
  return [...(await shownSecrets(trial)), ...(await openFiles(trial))];
}

/**
 * Whoever may look at containers sees no secret of theirs.
 * @param {Trial} trial
 */
async function shownSecrets(trial) {
  const secrets = await trial.sh(`docker compose run --rm -T secrets sh -c 'cd /secrets && grep -H . *'`);
  const inspected = await trial.sh(`docker inspect ${(await trial.containers()).join(' ')}`);
  const named = secrets
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(/:(.*)/));
  // What is made of a secret holds it too. A DID is public.
  const problems = named
    .filter(([name, value = '']) => name !== 'oracle-did' && inspected.includes(value))
    .map(([name]) => `docker inspect shows the secret ${name}`);
  return named.length > 10 ? problems : [...problems, 'there are hardly any secrets'];
}

/**
 * Nobody but its reader can open the file of a secret.
 * @param {Trial} trial
 */
async function openFiles(trial) {
  const modes = await trial.sh(`docker compose run --rm -T secrets sh -c "stat -c '%a %u %n' /secrets /secrets/*"`);
  const [folder = '', ...files] = modes.trim().split('\n');
  const open = files.filter((file) => !/^600 (999|1000|472|65534) /.test(file));
  return [...(folder.startsWith('700 ') ? [] : [folder]), ...open].map((file) => `can be opened by others: ${file}`);
}

/**
 * Doors that Prometheus does not scrape with its token within a minute, rules that it does not judge, and alerts that fire where nothing is wrong.
 * @param {Trial} trial
 * @returns {Promise<string[]>}
 */
export async function unwatchedDoors(trial) {
  /** @param {string} path */
  const ask = async (path) => {
    const answer = await trial.sh(
      `docker compose exec -T prometheus wget -q -O - 'http://127.0.0.1:9090/api/v1/${path}'`,
    );
    return JSON.parse(answer).data;
  };
  /** @type {{ labels: { job: string }, health: string, lastError: string }[]} */
  let targets = [];
  const isWell = () => targets.length === 3 && targets.every(({ health }) => health === 'up');
  for (const deadline = Date.now() + 60_000; !isWell() && Date.now() < deadline; await sleep(1_000)) {
    targets = (await ask('targets?state=active')).activeTargets;
  }
  /** @type {{ groups: { rules: { name: string, health: string, state: string }[] }[] }} */
  const { groups } = await ask('rules');
  const rules = groups.flatMap((group) => group.rules);
  return [
    ...(isWell() ? [] : [`Prometheus does not see three doors: ${JSON.stringify(targets)}`]),
    ...(rules.length > 10 ? [] : ['Prometheus has hardly any rules']),
    ...rules.filter(({ health }) => health === 'err').map(({ name }) => `Prometheus cannot judge ${name}`),
    ...rules.filter(({ state }) => state === 'firing').map(({ name }) => `${name} fires where nothing is wrong`),
  ];
}

/**
 * What is wrong with how the containers ended: each says 0.
 * @param {Trial} trial
 * @returns {Promise<string[]>}
 */
export async function unevenEnds(trial) {
  const format = '{{.Name}} {{.State.Status}} {{.State.ExitCode}}';
  const states = await trial.sh(`docker inspect --format '${format}' ${(await trial.containers()).join(' ')}`);
  const ends = states.trim().split('\n');
  return ends.filter((end) => !/ exited 0$/.test(end)).map((end) => `did not end with exit code 0: ${end}`);
}

/**
 * Stops the first replica of each service, for the second one to do the work.
 * @param {Trial} trial
 */
export async function stopFirstReplicas(trial) {
  const names = ['ussd-gateway', 'oracle-api', 'proto-gateway'].map(
    (service) => `"$COMPOSE_PROJECT_NAME-${service}-1"`,
  );
  await trial.sh(`docker stop ${names.join(' ')}`);
}

/**
 * Whether Socket.IO's long polling finds the replica it began at, for as many sessions as make luck unlikely.
 * @param {Trial} trial
 * @returns {Promise<string[]>}
 */
export async function lostPolls(trial) {
  const address = 'http://oracle.localhost:8080/socket.io/?EIO=4&transport=polling&sessionId';
  const poll = `
    for session in $(seq 12); do
      sid=$(curl -sS "${address}=$session" | sed -n 's/.*"sid":"\\([^"]*\\)".*/\\1/p')
      curl -sS "${address}=$session&sid=$sid" -d 40
      echo
    done`;
  const answers = (await trial.sh(poll)).trim().split('\n');
  const lost = answers.filter((answer) => answer !== 'ok');
  return lost.map((answer) => `a poll of Socket.IO did not find the replica it began at: ${answer}`);
}
