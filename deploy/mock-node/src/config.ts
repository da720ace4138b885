import { defaultAddresses, type PublishedAddresses } from './published-addresses.js';

/** The listening address of the process, and the addresses that its chain publishes. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly published: PublishedAddresses;
}

type Env = Readonly<Record<string, string | undefined>>;

/** A setting that can't be used; the message names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads the settings. An empty variable counts as not set. */
export function readConfig(env: Env): Config {
  const port = env['MOCK_NODE_PORT'] || '9090';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new ConfigError(`MOCK_NODE_PORT must be a port from 0 to 65535, not ${JSON.stringify(port)}`);
  }
  const published = {
    oracle: baseUrl(env, 'MOCK_NODE_ORACLE_URL', defaultAddresses.oracle),
    gateway: baseUrl(env, 'MOCK_NODE_GATEWAY_URL', defaultAddresses.gateway),
  };
  return { host: env['HOST'] || '127.0.0.1', port: Number(port), published };
}

/** Without a slash at its end, as clients append paths. */
function baseUrl(env: Env, name: string, fallback: string): string {
  const text = env[name] || fallback;
  if (!URL.canParse(text) || !['http:', 'https:'].includes(new URL(text).protocol)) {
    throw new ConfigError(`${name} must be a URL starting with http:// or https://, not ${JSON.stringify(text)}`);
  }
  return text.replace(/\/$/, '');
}
