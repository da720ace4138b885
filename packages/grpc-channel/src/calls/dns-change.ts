import { lookup } from 'node:dns/promises';
import { isIP, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { splitTarget } from './open-connection.js';

/** Resolves a name to its addresses. */
export type LookUp = (host: string) => Promise<readonly string[]>;

export const systemLookUp: LookUp = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Returns a check whether a socket's address is no longer among those of the node's name. A DNS failure is not a change: the
 * connection stays. `undefined` for a node named by its address. `NodeLink` moves the connection; the nodes of a name with several
 * addresses are followed by `pool/name-addresses.ts`.
 */
export function dnsChange(
  target: string,
  lookUp: LookUp = systemLookUp,
): ((socket: Duplex) => Promise<boolean>) | undefined {
  const { host } = splitTarget(target);
  if (isIP(host) !== 0) return undefined;
  return async (socket) => {
    const current = socket instanceof Socket ? socket.remoteAddress : undefined;
    if (current === undefined) return false;
    const addresses = await lookUp(host).catch(() => []);
    return addresses.length > 0 && !addresses.some((address) => withoutMapping(address) === withoutMapping(current));
  };
}

/** An IPv4 address is the same in its IPv6 form. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=[0-9.]+$)/, '');
}
