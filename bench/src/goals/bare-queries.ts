/** The floor of a query: a bare Fastify route that answers the same bytes, by name. `REPLIES_FILE` holds them. Prints the port it listens on. */
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

const replies = JSON.parse(readFileSync(process.env['REPLIES_FILE'] ?? '', 'utf8')) as Record<string, string>;

const app = Fastify();
for (const [name, body] of Object.entries(replies)) {
  app.get(`/${name}`, (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
}
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify(app.server.address())}\n`);
process.on('SIGTERM', () => void app.close());
