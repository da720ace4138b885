/**
 * A route that answers as `ussd-floor.ts` does, with those of the packages around it that `LAYERS` names: each as its own documentation puts it
 * to work, or, with `kit`, all of them as the services have them, with what the services add. Prints the port it listens on.
 */
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import { memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import Fastify, { type FastifyInstance } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { Histogram, Registry } from 'prom-client';
import { z } from 'zod';
import { emptyApp } from './empty-app.js';

const replies = JSON.parse(process.env['REPLIES'] ?? '{}') as Record<string, string>;
const layers = new Set((process.env['LAYERS'] ?? '').split(' '));
const most = 1_000_000_000;
const windowMs = 60_000;

const body = z.object({
  sessionId: z.string().min(1).max(128),
  serviceCode: z.string().max(32),
  phoneNumber: z.string().regex(/^\+?\d{6,15}$/),
  text: z.string().max(182),
});

const app: FastifyInstance = layers.has('kit') ? await kitApp() : await stockApp();
// The services send programs fewer headers.
const options = { config: { programsOnly: true }, ...(layers.has('zod') ? { schema: { body } } : {}) };
app.post('/api/ussd', options, (request, reply) => {
  const { text } = request.body as { text: string };
  return reply.type('text/plain; charset=utf-8').send(replies[text]);
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify(app.server.address())}\n`);
process.on('SIGTERM', () => void app.close());

async function stockApp(): Promise<FastifyInstance> {
  const stock = Fastify();
  stock.setValidatorCompiler(validatorCompiler);
  if (layers.has('rate-limit')) await stock.register(rateLimit, { max: most, timeWindow: windowMs });
  if (layers.has('under-pressure')) await stock.register(underPressure, { maxEventLoopDelay: 500 });
  if (layers.has('metrics')) {
    const labelNames = ['method', 'route', 'status'] as const;
    const durations = new Histogram({
      name: 'seconds',
      help: 'Time of a request.',
      labelNames,
      registers: [new Registry()],
    });
    stock.addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? 'unmatched';
      durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
      done();
    });
  }
  return stock;
}

async function kitApp(): Promise<FastifyInstance> {
  const kit = await emptyApp({ rateLimit: { max: most, windowMs, store: memoryRateLimitStore() } });
  return kit as unknown as FastifyInstance;
}
