import { createLogger } from '@mlango/service-kit/logging';
import { migrateAndEnd, moveAndEnd, readConfigOrExit, startOrExit, usingDataDir } from '@mlango/service-kit/process';
import { plannedOracle } from './assemble-oracle.js';
import { createOracleApp, type OracleAppOptions } from './create-oracle-app.js';
import { openOracleDatabase } from './deps/open-oracle-database.js';

/**
 * An oracle as the whole of a process: listens until a signal ends it. What keeps it from starting is said on standard error
 * or in the log, and ends the process: with code 78 for its environment, else with 1. A process whose first argument is
 * `migrate` brings the oracle's database up to date, its plugins' tables too, and ends; one whose first is `move` moves all rows of its
 * embedded database to the server that `DATABASE_URL` names.
 */
export async function runOracleApp(options: OracleAppOptions): Promise<void> {
  if (process.argv[2] === 'migrate') {
    const { config, logger, open } = await opened(planned(options));
    await migrateAndEnd(await opened(open(config)), logger);
  } else if (process.argv[2] === 'move') {
    const { config, logger, open } = await opened(planned(options));
    await moveAndEnd(config, open, logger);
  } else {
    const app = await opened(createOracleApp(options));
    await app.serve();
  }
}

function opened<Opened>(opening: Promise<Opened>): Promise<Opened> {
  const explained = opening.catch((error: unknown) =>
    readConfigOrExit(() => {
      throw error;
    }),
  );
  return startOrExit(createLogger({ service: 'oracle-api', level: 'fatal' }), explained);
}

/** The oracle as it is configured, and what opens a database with the tables of it and its plugins. */
async function planned(options: OracleAppOptions) {
  const { plan, logger } = await plannedOracle(options);
  const { config, plugins } = plan;
  const use = { applicationName: 'oracle-api-migrate', maxConnections: 1 };
  const open = (place: typeof config) => usingDataDir(place.DATA_DIR, openOracleDatabase(place, logger, use, plugins));
  return { config, logger, open };
}
