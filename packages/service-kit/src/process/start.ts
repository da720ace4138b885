import { readFileSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { EnvError } from '../env/read-env.js';
import { describeError } from '../logging/serialize-error.js';

/**
 * Awaits a required part of the start. On failure writes the reason to the log and to standard error, and exits with code 1.
 */
export async function startOrExit<Started>(logger: FastifyBaseLogger, start: Promise<Started>): Promise<Started> {
  try {
    return await start;
  } catch (error) {
    logger.fatal({ err: error }, 'service start failed');
    // The log may be off or written to a file.
    process.stderr.write(`The service cannot start: ${describeError(error)}\n`);
    process.exit(1);
  }
}

/** `EX_CONFIG` of sysexits: lets a supervisor distinguish a configuration error from a crash. */
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

const manifest = z.object({ version: z.string() });

/** The version in a package manifest. @param url of its `package.json`, relative to the caller's `import.meta.url`. */
export function packageVersion(url: URL): string {
  return manifest.parse(JSON.parse(readFileSync(url, 'utf8'))).version;
}

/**
 * The command in the first argument of the process; undefined without one, to serve. An unknown command exits with code 2 and a line on
 * standard error, so that a misspelt command does not start the service.
 */
export function readCommand<const Name extends string>(...names: readonly Name[]): Name | undefined {
  const [, , command] = process.argv;
  if (command === undefined) return undefined;
  const known = names.find((name) => name === command);
  if (known !== undefined) return known;
  const commands =
    names.length === 0 ? 'none is there' : `there ${names.length === 1 ? 'is' : 'are'} ${names.join(' and ')}`;
  process.stderr.write(`There is no command "${command}": ${commands}. Without one the service starts.\n`);
  process.exit(2);
}
