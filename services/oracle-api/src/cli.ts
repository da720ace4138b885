import { createLogger } from '@mlango/service-kit/logging';
import { readConfigOrExit } from '@mlango/service-kit/process';
import { type Config, readConfig } from './config.js';
import { openDelegationStore } from './deps/stores.js';
import { evalCommand, evalUsage } from './evals/eval-command.js';
import { sealKeyring } from './identity/keys.js';
import { oracleIdentity } from './identity/oracle-identity.js';
import { resealDelegations } from './identity/reseal-delegations.js';

const usage = `Usage: node dist/cli.js <command>, with the environment of the service

  reseal  seal every delegation under the first of SEAL_KEYS that is still under a later one
  ${evalUsage}
`;

process.exitCode = await main(process.argv.slice(2));

/** @returns the exit code: 0 done, 1 failed, 2 invalid arguments. */
async function main(args: readonly string[]): Promise<number> {
  if (args.length === 1 && args[0] === '--help') {
    process.stdout.write(usage);
    return 0;
  }
  if (args[0] === 'eval') {
    const code = await evalCommand(args.slice(1), process.env, (text) => process.stdout.write(`${text}\n`));
    if (code === 2) process.stderr.write(usage);
    return code;
  }
  if (args.length !== 1 || args[0] !== 'reseal') {
    process.stderr.write(usage);
    return 2;
  }
  const config = readConfigOrExit(() => readConfig(process.env));
  const logger = createLogger({ service: 'oracle-api-cli', level: 'warn', destination: process.stderr });
  try {
    return await reseal(config, logger);
  } catch (error) {
    logger.error({ err: error }, 'command failed');
    return 1;
  }
}

async function reseal(config: Config, logger: ReturnType<typeof createLogger>): Promise<number> {
  const { did } = await oracleIdentity(config.identity);
  const { store, close } = await openDelegationStore(config, logger);
  try {
    const { delegations, resealed, unopened } = await resealDelegations(store, await sealKeyring(config.identity), did);
    process.stdout.write(
      `${resealed} of ${delegations} delegations sealed again, ${unopened.length} could not be opened\n`,
    );
    for (const user of unopened) process.stdout.write(`not opened: ${user}\n`);
    return unopened.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}
