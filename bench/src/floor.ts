/**
 * The floor: what a bare Fastify app costs for the same bytes in and out, without validation, stores or limits.
 * Prints the port it listens on.
 */
import Fastify from 'fastify';

const app = Fastify();
app.post('/ussd', (request, reply) => {
  const { text } = request.body as { text: string };
  return reply.type('text/plain; charset=utf-8').send(`CON Welcome\n1. Know More\n2. Account Menu\n*. Exit${text}`);
});
app.get('/query', () => ({ params: { ixo1155_contract_code: '25' } }));
app.post('/message', (request) => {
  const { message } = request.body as { message: string };
  return { message: { type: 'ai', content: message, id: 'floor' }, sessionId: 'floor' };
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify(app.server.address())}\n`);
process.on('SIGTERM', () => void app.close());
