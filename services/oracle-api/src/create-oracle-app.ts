import { assembleOracle, type OracleApp, type OracleAppOptions } from './assemble-oracle.js';

export type { OracleApp, OracleAppOptions } from './assemble-oracle.js';

/**
 * An oracle: its sessions, its model and its plugins behind one HTTP app. Nothing listens yet.
 *
 * Rejects with an `EnvError` that lists every variable that is missing or unsafe, with a `PluginError` for plugins that
 * cannot be started, and with whatever keeps a store from opening. What was opened by then is closed.
 */
export async function createOracleApp(options: OracleAppOptions): Promise<OracleApp> {
  const { oracle } = await assembleOracle(options);
  return oracle;
}
