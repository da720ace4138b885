// The operations of deploy/README.md on a running Compose deployment with two replicas of each service behind its proxy:
// upgrade, roll back, restore of a backup, new secrets.
import { randomBytes, randomUUID } from 'node:crypto';

const PIN = '90210';
const ORACLE = 'did:ixo:entity:e0001';
const UPGRADE = 'Upgrade and roll back';

/**
 * @typedef {object} Deployment
 * @property {(commands: string) => Promise<string>} sh - runs commands in deploy/
 * @property {(heading: string, isWanted?: (block: import('./readme-blocks.mjs').ShellBlock) => boolean) => Promise<string[]>}
 *   section - runs the blocks of a section of deploy/README.md
 */

/**
 * Runs each operation, and checks after it that all containers are healthy, that the replicas are of the expected release, and
 * that the data written before it is there.
 * @param {Deployment} deployment
 * @returns {Promise<string[]>} problems
 */
export async function operationProblems({ sh, section }) {
  const seed = randomBytes(32).toString('hex');

  /** Dials and sends one input after the other. @param {string[]} inputs @returns {Promise<string>} the last screen */
  async function dial(...inputs) {
    const call = { sessionId: randomUUID(), serviceCode: '*2233#', phoneNumber: '+254712345670' };
    let screen = '';
    for (let count = 0; count <= inputs.length; count += 1) {
      const hop = JSON.stringify({ ...call, text: inputs.slice(0, count).join('*') });
      screen = await sh(`curl -sS -H 'content-type: application/json' http://ussd.localhost:8080/api/ussd -d '${hop}'`);
    }
    return screen;
  }
  const signUp = async () => /C[0-9A-Z]{8}/.exec(await dial('2', '2', 'Amina', '00', PIN, PIN))?.[0] ?? 'no account';
  const canLogIn = async (/** @type {string} */ customer) =>
    (await dial('2', '1', customer, PIN)).startsWith('CON Welcome, Amina!');

  const requestOracle = async (/** @type {string} */ path, options = '') =>
    sh(`token=$(docker compose exec -T oracle-api node /app/packages/ucan-auth/dist/cli/main.js invoke \
          --audience ${ORACLE} --seed ${seed})
        curl -sS -H "authorization: Bearer $token" -H 'x-auth-type: ucan' -H 'content-type: application/json' \
          http://oracle.localhost:8080${path} ${options}`);

  const customer = await signUp();
  const { sessionId } = JSON.parse(await requestOracle('/sessions', '-X POST'));
  await requestOracle(`/messages/${sessionId}`, `-d '{"message":"remember my goats"}'`);

  /** @param {string} operation @param {string} release */
  async function problemsAfter(operation, release) {
    const containers = (await sh(`docker compose ps --all --format '{{.Service}} {{.Image}} {{.Health}}'`))
      .trim()
      .split('\n');
    const replicas = (/** @type {string} */ service) =>
      containers.filter((line) => line.startsWith(`${service} `) && line.endsWith(`/${service}:${release} healthy`));
    const services = ['ussd-gateway', 'oracle-api', 'proto-gateway'];
    const chain = await sh(`curl -sS http://chain.localhost:8080/proto/entity/${ORACLE}/iiddocument`);
    return [
      // A restarted Prometheus may be starting.
      ...containers.filter((line) => !/ (?:healthy|starting)$/.test(line)).map((line) => `is not healthy: ${line}`),
      ...services
        .filter((service) => replicas(service).length !== 2)
        .map((service) => `has not two replicas: ${service}`),
      ...((await canLogIn(customer)) ? [] : ['the account is lost']),
      ...((await requestOracle(`/messages/${sessionId}`)).includes('my goats') ? [] : ['the conversation is lost']),
      ...(chain.includes(`${ORACLE}#api`) ? [] : [`the chain is not queried: ${chain}`]),
    ].map((problem) => `after ${operation} (${release}): ${problem}`);
  }

  const isRollback = (/** @type {{ commands: string }} */ { commands }) => commands.startsWith('git checkout EARLIER');
  const problems = [
    ...(await section(UPGRADE, (block) => !isRollback(block))),
    ...(await problemsAfter('the upgrade', 'NEXT')),
  ];
  const later = await signUp();
  problems.push(
    ...(await section(UPGRADE, isRollback)),
    ...(await section(UPGRADE, ({ commands }) => commands.includes('restart prometheus'))),
    ...(await problemsAfter('the rollback', 'EARLIER')),
    ...((await canLogIn(later)) ? [] : ['the rollback lost an account of the later release']),
    ...(await section('Restore a backup')),
    ...(await problemsAfter('the restore', 'EARLIER')),
    ...((await canLogIn(later)) ? ['the restore has an account that is newer than the backup'] : []),
    ...(await section('Changing secrets')),
    ...(await section('Passwords of Postgres')),
    ...(await section('The key of PINs')),
    ...(await section("The keys of the oracle's data")),
    ...(await problemsAfter('new secrets', 'EARLIER')),
  );
  return problems;
}
