import type { IsAllowedAddress } from './guarded-agent.js';
import { bareHost, isNamedHost, type NamedHost, portOf } from './named-hosts.js';
import { isOwnAddress, isPublicAddress } from './public-address.js';

/**
 * Why a URL is refused. `scheme`: neither HTTPS nor, where the host is named as a private one, HTTP. `credentials`: it
 * has a user or a password. `address`: its host is a forbidden address.
 */
export type UrlProblem = 'scheme' | 'credentials' | 'address';

/** The rules without the client, which is not loaded. */
export interface OutboundRules {
  readonly isAllowedAddress: IsAllowedAddress;
  /** Checks a URL without a network request. The dispatcher checks the addresses of its host. */
  problemOf(url: URL): UrlProblem | undefined;
}

/** @param privateHosts hosts that may have private addresses; all others must have public ones. */
export function outboundRules(privateHosts: readonly NamedHost[]): OutboundRules {
  const isAllowedAddress: IsAllowedAddress = (address, host, port) =>
    isPublicAddress(address) || (isNamedHost(privateHosts, host, port) && isOwnAddress(address));
  return {
    isAllowedAddress,
    problemOf(url) {
      const host = bareHost(url.hostname);
      const isPrivate = isNamedHost(privateHosts, host, portOf(url));
      if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isPrivate)) return 'scheme';
      if (url.username !== '' || url.password !== '') return 'credentials';
      const isAddress = /^[\d.]+$/.test(host) || host.includes(':');
      return isAddress && !isAllowedAddress(host, host, portOf(url)) ? 'address' : undefined;
    },
  };
}
