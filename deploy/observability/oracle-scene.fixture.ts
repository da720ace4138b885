import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import type { Door } from './recording.fixture.js';
import { afterwards, json } from './rehearsing.fixture.js';

export const oracleDid = 'did:ixo:entity:e0001';

/** An endpoint on loopback; the test sets its current answer. */
export async function openEndpoint(answer: (reply: ServerResponse) => void): Promise<string> {
  const server = createServer((request, reply) => {
    request.resume().on('end', () => answer(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An answer of one word, as providers stream it. */
export function sayHello(reply: ServerResponse): void {
  const part = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  reply.end(`${part({ role: 'assistant', content: 'Hello' }, null)}${part({}, 'stop')}data: [DONE]\n\n`);
}

/** A user of the oracle. */
export async function person(seed: number) {
  const user = { signer: signerFromSeed(Buffer.alloc(32, seed)), audience: oracleDid, lifetimeSeconds: 600 };
  return { headers: { authorization: `Bearer ${await mintInvocation(user)}`, 'x-auth-type': 'ucan' } };
}

/** A user with a session and one message in it. */
export async function speaker({ address }: Door, seed: number): Promise<() => Promise<unknown>> {
  const headers = { ...json, ...(await person(seed)).headers };
  const post = (path: string, body: object) =>
    fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const { sessionId } = (await (await post('/sessions', {})).json()) as { sessionId: string };
  return async () => (await post(`/messages/${sessionId}`, { message: 'hi' })).text();
}
