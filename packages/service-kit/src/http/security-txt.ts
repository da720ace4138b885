import { z } from 'zod';
import type { HttpApp } from './http-app-type.js';

/** How long what a reader has kept is good for: RFC 9116 wants less than a year. */
const KEPT_DAYS = 180;
const DAY_MS = 86_400_000;

/** `GET /.well-known/security.txt` (RFC 9116): whom to tell of a vulnerability. No contacts: no such route. */
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
  const expires = new Date(startOfDay + KEPT_DAYS * DAY_MS).toISOString().replace('.000', '');
  return [...contacts.map((contact) => `Contact: ${contact}`), `Expires: ${expires}`, ''].join('\n');
}
