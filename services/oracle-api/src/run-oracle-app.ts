import { createLogger } from '@mlango/service-kit/logging';
import { readConfigOrExit, startOrExit } from '@mlango/service-kit/process';
import { createOracleApp, type OracleAppOptions } from './create-oracle-app.js';

/**
 * An oracle as the whole of a process: listens until a signal ends it. What keeps it from starting is said on standard error
 * or in the log, and ends the process: with code 78 for its environment, else with 1.
 */
export async function runOracleApp(options: OracleAppOptions): Promise<void> {
  const opened = createOracleApp(options).catch((error: unknown) =>
    readConfigOrExit(() => {
      throw error;
    }),
  );
  const app = await startOrExit(createLogger({ service: 'oracle-api', level: 'fatal' }), opened);
  await app.serve();
}
