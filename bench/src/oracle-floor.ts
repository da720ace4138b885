/**
 * The floor of a stream: a bare Fastify route that sends as many frames of the same form at the same pace, without a model,
 * stores, runs or sockets. Prints the port it listens on.
 */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';

const app = Fastify();

async function* frames(count: number, paceMs: number): AsyncGenerator<string> {
  for (let id = 1; id <= count; id++) {
    if (id > 1) await sleep(paceMs);
    const data = JSON.stringify({ content: `${id} `, timestamp: new Date().toISOString() });
    yield `id: ${id}\nevent: message\ndata: ${data}\n\n`;
  }
}

app.post('/stream', (request, reply) => {
  const { count, paceMs } = request.body as { count: number; paceMs: number };
  return reply.type('text/event-stream').send(Readable.from(frames(count, paceMs)));
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify(app.server.address())}\n`);
process.on('SIGTERM', () => void app.close());
