import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import { z } from 'zod';
import type { HttpApp } from './http-app-type.js';

/**
 * Adds helmet's headers to every reply. They are the same for all, so helmet makes them once, on a discarded response; making
 * them for each request would cost more than many a request itself. Sending all of them still costs some 6 µs, a seventh of a
 * menu hop, so replies that no browser renders as a page have one only.
 */
export function sendSecurityHeaders(app: HttpApp): void {
  const all = securityHeaders();
  const name = 'x-content-type-options';
  const forPrograms = { [name]: all[name] };
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(request.routeOptions.config.programsOnly === true ? forPrograms : all);
    done();
  });
}

function securityHeaders(): Record<string, string> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  // A page served over plain HTTP inside a network must not load its assets over TLS.
  helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } })(request, response, () => {});
  return Object.fromEntries(response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]));
}

/** Validity of a cached copy: RFC 9116 recommends less than a year. */
const EXPIRY_DAYS = 180;
const DAY_MS = 86_400_000;

/** `GET /.well-known/security.txt` (RFC 9116): contacts for vulnerabilities. No contacts: no such route. */
export function securityTxtRoute(app: HttpApp, contacts: readonly string[], now = () => new Date()): void {
  if (contacts.length === 0) return;
  app.get(
    '/.well-known/security.txt',
    { schema: { hide: true, response: { 200: z.string() } } },
    async (_request, reply) => reply.type('text/plain; charset=utf-8').send(securityTxt(contacts, now())),
  );
}

function securityTxt(contacts: readonly string[], now: Date): string {
  const startOfDay = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const expires = new Date(startOfDay + EXPIRY_DAYS * DAY_MS).toISOString().replace('.000', '');
  return [...contacts.map((contact) => `Contact: ${contact}`), `Expires: ${expires}`, ''].join('\n');
}
