import { addressRanges } from '../address-ranges.js';
import type { HttpApp } from './http-app-type.js';

export interface PublicAddress {
  /** The setting `PUBLIC_URL`: it counts before what a request says. */
  readonly publicUrl?: string | undefined;
  /** From `trustedProxies(config)`: only these proxies are believed to name a prefix. */
  readonly trustProxy: string[] | false;
}

const longestPrefix = 200;
const prefixForm = /^(?:\/[\w.~-]+)+$/;

/**
 * Gives each request the address under which its client reaches this service: `PUBLIC_URL` if set, else the host that
 * the request names with the `X-Forwarded-Prefix` of a trusted proxy.
 */
export function decorateWithPublicAddress(app: HttpApp, { publicUrl, trustProxy }: PublicAddress): void {
  const isProxy = addressRanges(trustProxy === false ? [] : trustProxy);
  const configured = publicUrl === undefined ? undefined : withoutSlash(publicUrl);
  const configuredPath = configured === undefined ? undefined : withoutSlash(new URL(configured).pathname);

  app.decorateRequest('basePath', {
    getter() {
      if (configuredPath !== undefined) return configuredPath;
      const prefix = this.headers['x-forwarded-prefix'];
      const isForwarded = typeof prefix === 'string' && isProxy(this.socket.remoteAddress ?? '');
      return isForwarded ? readPrefix(prefix) : '';
    },
  });
  app.decorateRequest('publicUrl', {
    getter() {
      return configured ?? `${this.protocol}://${this.host}${this.basePath}`;
    },
  });
}

/** Reads the header `X-Forwarded-Prefix`. A value that is not a plain path counts as none. */
function readPrefix(header: string): string {
  const prefix = withoutSlash(header.trim());
  const hasDotSegment = prefix.split('/').some((segment) => segment === '.' || segment === '..');
  return prefix.length <= longestPrefix && prefixForm.test(prefix) && !hasDotSegment ? prefix : '';
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
