/**
 * Floor of every ratio: bare Fastify routes that parse the same body and send the same bytes as the service, without validation,
 * stores, limits, metrics or logging. `BARE_REPLIES` holds the bytes. Prints its address.
 */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';

interface Replies {
  /** Replies to `GET /<name>`, JSON texts. */
  readonly get?: Readonly<Record<string, string>>;
  /** Replies to `POST /api/ussd`, by the request's text. */
  readonly ussd?: Readonly<Record<string, string>>;
}

const { get = {}, ussd = {} } = JSON.parse(process.env['BARE_REPLIES'] ?? '{}') as Replies;
const app = Fastify();
for (const [name, body] of Object.entries(get)) {
  app.get(`/${name}`, (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
}
app.post('/api/ussd', (request, reply) => {
  const { text } = request.body as { text: string };
  return reply.type('text/plain; charset=utf-8').send(ussd[text]);
});
app.post('/stream', (request, reply) => {
  const { count, paceMs } = request.body as { count: number; paceMs: number };
  return reply.type('text/event-stream').send(Readable.from(frames(count, paceMs)));
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify(app.server.address())}\n`);
process.on('SIGTERM', () => void app.close());

/** Frames of the same form as the oracle's, each sent when it is due. */
async function* frames(count: number, paceMs: number): AsyncGenerator<string> {
  for (let id = 1; id <= count; id++) {
    if (id > 1) await sleep(paceMs);
    const data = JSON.stringify({ content: `${id} `, timestamp: new Date().toISOString() });
    yield `id: ${id}\nevent: message\ndata: ${data}\n\n`;
  }
}
