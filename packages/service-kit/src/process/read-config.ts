import { EnvError } from '../env/read-env.js';

/** `EX_CONFIG` of sysexits: a supervisor can tell a configuration that must be mended from a crash worth a restart. */
const configurationErrorExitCode = 78;

/** Reads the configuration, or prints every problem of it on standard error and ends the process with code 78. */
export function readConfigOrExit<Config>(read: () => Config): Config {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(configurationErrorExitCode);
  }
}
