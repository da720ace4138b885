import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, runCommand } from '../process/run-command.mjs';
import { repositoryRoot } from '../repository.mjs';
import { serviceEnv } from '../services/run-services.mjs';
import { serviceTable } from '../services/table.mjs';

const TIMEOUT_MS = 20_000;

/** Prints an invocation token for the oracle of `npm start`, or the reason why there is none. */
export async function main() {
  const script = join(repositoryRoot, 'services/oracle-api/dist/dev-token.js');
  try {
    if (!existsSync(script)) throw new Error('The oracle is not built: run `npm run setup`.');
    const env = serviceEnv('oracle-api', {
      services: serviceTable(repositoryRoot),
      env: process.env,
      root: repositoryRoot,
    });
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const token = (await runCommand([process.execPath, script], { cwd: repositoryRoot, env, signal })).trim();
    if (!/^[\w+/=-]+$/.test(token)) throw new Error('The oracle printed no token.');
    console.log(token);
  } catch (error) {
    const output = error instanceof CommandError ? error.output.trim() : '';
    console.error(output || (error instanceof Error ? error.message : String(error)));
    process.exitCode = 1;
  }
}
