import { type LookupAddress, lookup as resolveName } from 'node:dns';
import { createRequire } from 'node:module';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import { bareHost, portOf } from './named-hosts.js';

/** A forbidden address, or a name that resolves to one. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
  readonly code = 'ERR_FORBIDDEN_ADDRESS';
}

/** Whether a connection to an address of `host` is permitted. `host` is in lower case, without brackets and trailing dot. */
export type IsAllowedAddress = (address: string, host: string, port: number) => boolean;

/** All addresses of a name. Rejects if it has none. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

export interface GuardedAgentOptions {
  /** Called for every address of a host name, and for each literal address. */
  readonly isAllowedAddress: IsAllowedAddress;
  /** Default: as the system resolves names. */
  readonly resolve?: ResolveHost;
  /** Certificates to trust instead of the system's, PEM. */
  readonly ca?: string | undefined;
  /** Maximum time of a connection, of the head of a reply, and of each pause in its body. */
  readonly timeoutMs: number;
  /** Connections to one origin. Default 2. */
  readonly connections?: number;
}

/**
 * Connections that are checked when they are made, to exactly the checked address: a later DNS change has no effect. One
 * forbidden address among several is enough to refuse a name. After a `ForbiddenAddressError` it is certain that nothing was
 * sent.
 */
export function guardedAgent(options: GuardedAgentOptions): Agent {
  const { isAllowedAddress, resolve = systemResolve, ca, timeoutMs, connections = 2 } = options;
  const { Agent, buildConnector }: typeof import('undici') = require('undici');
  const connect: buildConnector.connector = (target, callback) => {
    const host = bareHost(target.hostname);
    const port = portOf(target);
    const isForbidden = (addresses: readonly LookupAddress[]) =>
      addresses.length === 0 || !addresses.every(({ address }) => isAllowedAddress(address, host, port));
    // An address is used without a lookup.
    if (isIP(host) !== 0 && !isAllowedAddress(host, host, port)) {
      callback(new ForbiddenAddressError('the address is forbidden'), null);
      return;
    }
    const lookup: LookupFunction = (_, { all }, answer) => {
      const found = (addresses: readonly LookupAddress[]) => {
        const [first] = addresses;
        if (first === undefined || isForbidden(addresses)) {
          answer(new ForbiddenAddressError('the name resolves to a forbidden address'), '');
        } else if (all === true) answer(null, [...addresses]);
        else answer(null, first.address, first.family);
      };
      resolve(host).then(found, (error: NodeJS.ErrnoException) => answer(error, ''));
    };
    buildConnector({ lookup, timeout: timeoutMs, ...(ca === undefined ? {} : { ca }) })(target, callback);
  };
  return new Agent({ connections, connect, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
}

/** Loaded lazily: undici takes 8 MB. */
const require = createRequire(import.meta.url);

const systemResolve: ResolveHost = (host) =>
  new Promise((resolve, reject) => {
    resolveName(host, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)));
  });
