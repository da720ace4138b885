/** Where the process listens. */
export interface Config {
  readonly host: string;
  readonly port: number;
}

/** A setting that can't be used; the message names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads the settings. An empty variable counts as not set. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const port = env['MOCK_NODE_PORT'] || '9090';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new ConfigError(`MOCK_NODE_PORT must be a port from 0 to 65535, not ${JSON.stringify(port)}`);
  }
  return { host: env['HOST'] || '127.0.0.1', port: Number(port) };
}
