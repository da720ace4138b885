import { readConfigOrExit } from '@mlango/service-kit/process';
import { readConfig } from './config.js';
import { developmentToken, developmentUser, oracleIdentity } from './identity/oracle-identity.js';

/** Prints a development token for the service of this data directory, with the longest accepted lifetime. */
const { identity } = readConfigOrExit(() => readConfig(process.env));
if (identity.NODE_ENV === 'production') {
  process.stderr.write('NODE_ENV: development tokens are not made in production\n');
  process.exit(1);
}
const oracle = await oracleIdentity(identity);
const token = await developmentToken(identity, oracle, await developmentUser(identity));
process.stdout.write(`${token}\n`);
