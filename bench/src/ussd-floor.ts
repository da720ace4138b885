/**
 * The floor of a hop: a bare Fastify route that parses the same body and answers the same bytes, without validation,
 * stores, limits, metrics or logging. `REPLIES` holds them as JSON, by text. Prints the port it listens on.
 */
import Fastify from 'fastify';

const replies = JSON.parse(process.env['REPLIES'] ?? '{}') as Record<string, string>;

const app = Fastify();
app.post('/api/ussd', (request, reply) => {
  const { text } = request.body as { text: string };
  return reply.type('text/plain; charset=utf-8').send(replies[text]);
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify(app.server.address())}\n`);
process.on('SIGTERM', () => void app.close());
