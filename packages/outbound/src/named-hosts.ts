import { isIP } from 'node:net';

/** A host by its name or address; with a port, only at that port. */
export interface NamedHost {
  /** In the form of `bareHost`. */
  readonly host: string;
  readonly port?: number;
}

/** The host of a URL in one spelling: lower case, without the brackets of IPv6 and without a trailing dot. */
export function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

/** The port of a URL; 0 for a scheme without one. */
export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : protocol === 'http:' ? 80 : 0;
}

/** Reads `host`, `host:port`, an address or `[address]:port`; undefined for other text. */
export function parseNamedHost(text: string): NamedHost | undefined {
  const authority = isIP(text) === 6 ? `[${text}]` : text;
  if (!/^(?:\[[\da-fA-F:.]+\]|[^\s/?#@\\:*[\]]+)(?::\d{1,5})?$/.test(authority)) return undefined;
  // The port is read from the text: a URL drops the default port of its scheme.
  const url = URL.canParse(`https://${authority}`) ? new URL(`https://${authority}`) : undefined;
  const port = /:(\d{1,5})$/.exec(authority.replace(/^\[.*\]/, ''))?.[1];
  if (url === undefined || url.hostname === '') return undefined;
  return { host: bareHost(url.hostname), ...(port === undefined ? {} : { port: Number(port) }) };
}

/** Whether a host is listed. `host` as returned by `bareHost`. */
export function isNamedHost(hosts: readonly NamedHost[], host: string, port: number): boolean {
  return hosts.some((named) => named.host === host && (named.port ?? port) === port);
}
