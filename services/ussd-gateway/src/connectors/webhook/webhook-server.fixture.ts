import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WebhookServer {
  readonly url: string;
  readonly received: Received[];
  /** Sets the next answers: a status with a text, or none at all. */
  answer: (received: Received) => { status?: number; text: string } | undefined;
  close(): Promise<void>;
}

/** Answers calls of webhooks on loopback, and records the requests. */
export async function openWebhookServer(): Promise<WebhookServer> {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, path: url, headers, body: Buffer.concat(parts).toString('utf8') };
      received.push(one);
      const reply = webhook.answer(one);
      if (reply !== undefined) response.writeHead(reply.status ?? 200).end(reply.text);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const webhook: WebhookServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: () => ({ text: '{"status":"pending"}' }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return webhook;
}
