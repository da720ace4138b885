import type { Dispatcher } from 'undici';
import { guardedAgent, type IsAllowedAddress, type ResolveHost } from './guarded-agent.js';
import { bareHost, isNamedHost, type NamedHost, portOf } from './named-hosts.js';
import { isOwnAddress, isPublicAddress } from './public-address.js';

export interface OutboundOptions {
  /** Hosts that may be at addresses of networks of one's own; all others must be at public ones. */
  readonly privateHosts: readonly NamedHost[];
  /** Default: as the system resolves names. */
  readonly resolve?: ResolveHost;
  /** Certificates to trust instead of the system's, PEM. */
  readonly ca?: string;
}

/**
 * Why a URL is not called at all. `scheme`: neither HTTPS nor, where the host is named as a private one, HTTP. `credentials`: it
 * has a user or a password. `address`: its host is an address that is not to be called.
 */
export type UrlProblem = 'scheme' | 'credentials' | 'address';

/** The way out to addresses that somebody else names. */
export interface Outbound {
  /** For `request` and `fetch` of undici. Refuses with a `ForbiddenAddressError` before anything is sent. */
  readonly dispatcher: Dispatcher;
  readonly isAllowedAddress: IsAllowedAddress;
  /** What can be told from a URL alone. The dispatcher judges where it leads. Asks nobody. */
  problemOf(url: URL): UrlProblem | undefined;
  /** Ends the connections. */
  close(): Promise<void>;
}

/** The most time that a connection, the head of a reply and each pause in its body take. Callers have limits of their own. */
const timeoutMs = 60_000;
const connections = 32;

export function createOutbound({ privateHosts, ...rest }: OutboundOptions): Outbound {
  const isAllowedAddress: IsAllowedAddress = (address, host, port) =>
    isPublicAddress(address) || (isNamedHost(privateHosts, host, port) && isOwnAddress(address));
  const agent = guardedAgent({ ...rest, isAllowedAddress, timeoutMs, connections });
  return {
    dispatcher: agent,
    isAllowedAddress,
    problemOf(url) {
      const host = bareHost(url.hostname);
      const isPrivate = isNamedHost(privateHosts, host, portOf(url));
      if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isPrivate)) return 'scheme';
      if (url.username !== '' || url.password !== '') return 'credentials';
      const isAddress = /^[\d.]+$/.test(host) || host.includes(':');
      return isAddress && !isAllowedAddress(host, host, portOf(url)) ? 'address' : undefined;
    },
    close: () => agent.destroy(),
  };
}
