import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpApp } from './http-app-type.js';
import { securityTxtRoute } from './security-headers.js';

let app: HttpApp;
afterEach(async () => app.close());

function appWith(contacts: readonly string[]): HttpApp {
  app = Fastify().withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  securityTxtRoute(app, contacts, () => new Date('2026-03-01T10:00:00Z'));
  return app;
}

describe('/.well-known/security.txt', () => {
  it('names the contacts in their order, and its expiry', async () => {
    const reply = await appWith(['mailto:security@example.com', 'https://example.com/report']).inject(
      '/.well-known/security.txt',
    );
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(reply.body).toBe(
      'Contact: mailto:security@example.com\nContact: https://example.com/report\nExpires: 2026-08-28T00:00:00Z\n',
    );
  });

  it('is absent if the operator configures no contact', async () => {
    expect((await appWith([]).inject('/.well-known/security.txt')).statusCode).toBe(404);
  });
});
