import { readConfigOrExit } from '@mlango/service-kit/process';
import { readConfig } from './config.js';
import { developmentToken, developmentUser, oracleIdentity } from './identity/oracle-identity.js';

/** Prints a token with which to try the service of this data directory, for as long as the service accepts one. */
const config = readConfigOrExit(() => readConfig(process.env));
if (config.NODE_ENV === 'production') {
  process.stderr.write('NODE_ENV: development tokens are not made in production\n');
  process.exit(1);
}
const oracle = await oracleIdentity(config);
const token = await developmentToken(config, oracle, await developmentUser(config));
process.stdout.write(`${token}\n`);
