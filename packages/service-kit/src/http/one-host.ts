import type { IncomingMessage } from 'node:http';
import type { RenderError } from '../errors/render-error.js';
import { ServiceError } from '../errors/service-error.js';
import { errorFunnel } from './error-funnel.js';
import type { HttpApp } from './http-app-type.js';

/** What a request with more than one `Host` is answered. */
export const twoHosts = (): ServiceError =>
  new ServiceError('invalid_argument', 'A request has one Host header', { headers: { connection: 'close' } });

/** Whether a request says at most once which host it is for. Node keeps the first `Host` and forgets the others; a proxy may not. */
export function hasOneHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts < 2;
}

/**
 * Refuses requests that name two hosts, which RFC 9112 (3.2) demands, and closes the connection: what stands before us may have read
 * another request than we do. It is a failure of HTTP, so the answer is that of HTTP also where a route has its own form of failures.
 */
export function refuseTwoHosts(app: HttpApp, render: RenderError): void {
  const funnel = errorFunnel((error) => render(error));
  app.addHook('onRequest', (request, reply, done) => {
    if (hasOneHost(request.raw)) {
      done();
      return;
    }
    // Of a connection that was to be upgraded nobody else sees to the end.
    if (request.raw.headers.upgrade !== undefined) reply.raw.once('finish', () => request.raw.socket.end());
    void funnel.send(twoHosts(), request, reply);
  });
}
