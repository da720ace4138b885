import type { IncomingMessage } from 'node:http';
import { type RenderError, ServiceError } from '../errors/service-error.js';
import { addressRanges } from './client-address.js';
import { errorFunnel } from './error-funnel.js';
import type { HttpApp } from './http-app-type.js';

export interface PublicAddress {
  /** The setting `PUBLIC_URL`; it overrides the host of a request. */
  readonly publicUrl?: string | undefined;
  /** From `trustedProxies(config)`: only these proxies may set a prefix. */
  readonly trustProxy: string[] | false;
}

const longestPrefix = 200;
const prefixForm = /^(?:\/[\w.~-]+)+$/;

/**
 * Decorates each request with the address under which its client reaches this service: `PUBLIC_URL` if set, else the host that
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

/** The error for a request with more than one `Host`. */
export const twoHosts = (): ServiceError =>
  new ServiceError('invalid_argument', 'A request has one Host header', { headers: { connection: 'close' } });

/** Whether a request has at most one `Host`. Node keeps the first and drops the others; a proxy may not. */
export function hasOneHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts < 2;
}

/**
 * Refuses requests with two hosts (RFC 9112, 3.2) and closes the connection: a proxy may have parsed another request than Node did.
 * The reply has the service's general error shape, also on routes with their own.
 */
export function refuseTwoHosts(app: HttpApp, render: RenderError): void {
  const funnel = errorFunnel((error) => render(error));
  app.addHook('onRequest', (request, reply, done) => {
    if (hasOneHost(request.raw)) {
      done();
      return;
    }
    // Fastify does not close a connection with a pending upgrade.
    if (request.raw.headers.upgrade !== undefined) reply.raw.once('finish', () => request.raw.socket.end());
    void funnel.send(twoHosts(), request, reply);
  });
}
