import { lookup as resolveName } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';

/** A name leads to an address that is not to be called. */
export class ForbiddenAddressError extends Error {
  readonly code = 'ERR_FORBIDDEN_ADDRESS';
}

export interface GuardedAgentOptions {
  /** Asked about every address a name leads to. */
  readonly isAllowedAddress: (address: string) => boolean;
  /** Certificates to trust instead of the system's, PEM. */
  readonly ca?: string | undefined;
  readonly timeoutMs: number;
}

/**
 * Connections to names of hosts, never to bare addresses: the address is judged when the connection is made, and that very
 * address is called, so a name cannot lead elsewhere after it was judged. One forbidden address among several is enough
 * to refuse the name.
 */
export function guardedAgent({ isAllowedAddress, ca, timeoutMs }: GuardedAgentOptions): Agent {
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) callback(error, '');
      else if (first === undefined || !addresses.every(({ address }) => isAllowedAddress(address))) {
        callback(new ForbiddenAddressError('the name leads to an address that is not to be called'), '');
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
  return new Agent({
    connections: 2,
    connect: { lookup, timeout: timeoutMs, ...(ca === undefined ? {} : { ca }) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
}
