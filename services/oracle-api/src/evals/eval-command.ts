import { parseArgs } from 'node:util';
import type { EnvSource } from '@mlango/service-kit/env';
import { createTestOracle } from '../create-test-oracle.js';
import { evalFolder } from './eval-folder.js';
import type { OracleAddress } from './oracle-client.js';

export const evalUsage =
  'eval DIR [--report FOLDER]  hold the dialogues of a folder: with the oracle at ORACLE_URL, for the user of ORACLE_KEY; or with one made for it, with the models of the environment';

/** @returns the exit code: 0 all expectations hold, 1 some fail, 2 invalid arguments or dialogues. */
export async function evalCommand(
  args: readonly string[],
  env: EnvSource,
  print: (text: string) => void,
): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    options: { report: { type: 'string' } },
    allowPositionals: true,
  });
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) return 2;
  const { oracle, close } = await oracleOf(env);
  try {
    return (await evalFolder({ folder, oracle, reports: values.report, print })) ? 0 : 1;
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    return 2;
  } finally {
    await close();
  }
}

async function oracleOf(env: EnvSource): Promise<{ oracle: OracleAddress; close: () => Promise<void> }> {
  const { ORACLE_URL: url, ORACLE_KEY: key = '' } = env;
  if (url !== undefined && url !== '') {
    const headers = { authorization: `Bearer ${key}`, 'x-auth-type': 'ucan' };
    return { oracle: { url: url.replace(/\/$/, ''), headers }, close: async () => undefined };
  }
  const made = await createTestOracle({ env: { ...env, ...ofItsOwn } });
  const { headers } = await made.newUser();
  return { oracle: { url: await made.listen(), headers }, close: () => made.close() };
}

/** Settings of a temporary oracle in memory, so that the evaluation leaves no data behind. */
const ofItsOwn = {
  NODE_ENV: 'test',
  DATA_DIR: 'memory://',
  DATABASE_URL: '',
  REDIS_URL: '',
  HOST: '127.0.0.1',
  PORT: '0',
};
