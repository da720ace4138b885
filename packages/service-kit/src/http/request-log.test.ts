import Fastify, { type FastifyBaseLogger, type InjectOptions, LogController } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { expect, it } from 'vitest';
import { createLogger } from '../logging/index.js';
import { requestIdOf } from './create-http-app.js';
import type { HttpApp } from './http-app-type.js';
import { logReplies } from './request-log.js';

async function linesOf(...requests: InjectOptions[]): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger: FastifyBaseLogger = createLogger({ service: 'test', level: 'info', destination });
  const app: HttpApp = Fastify({
    loggerInstance: logger,
    genReqId: requestIdOf,
    logController: new LogController({ disableRequestLogging: true }),
  }).withTypeProvider<ZodTypeProvider>();
  logReplies(app);
  app.get('/health', { config: { probe: true } }, () => 'up');
  app.get('/phones/:number', () => 'known');
  for (const request of requests) await app.inject(request);
  await app.close();
  return lines;
}

it('a reply has one line, with its route and the id of its request, and never the URL', async () => {
  const headers = { 'x-request-id': 'r-1' };
  const [line, ...others] = await linesOf({ url: '/phones/255700000001?pin=9021', headers });
  expect(others).toEqual([]);
  expect(line).toMatchObject({
    level: 30,
    reqId: 'r-1',
    method: 'GET',
    route: '/phones/:number',
    status: 200,
    msg: 'request',
  });
  expect(JSON.stringify(line)).not.toMatch(/255700000001|9021/);
});

it('a request id that is a secret is in no line', async () => {
  const token = `eyJ${'a'.repeat(40)}`;
  const [line] = await linesOf({ url: '/phones/1', headers: { 'x-request-id': token } });
  expect(line).toMatchObject({ reqId: '[redacted]' });
});

it('a path without a route is unmatched, and a probe is silent', async () => {
  expect(await linesOf({ url: '/nowhere' }, { url: '/health' })).toMatchObject([{ route: 'unmatched', status: 404 }]);
});
