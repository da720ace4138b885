import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  authOf,
  closeClients,
  listening,
  plainClient,
  type Service,
  sessionOf,
  socketIoClient,
} from './sockets.fixture.js';

const guide = readFileSync(new URL('../../../../docs/guides/sockets.md', import.meta.url), 'utf8');
const [program = ''] = [...guide.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

let service: Service;
beforeAll(async () => {
  service = await listening();
});
afterEach(closeClients);
afterAll(() => service.close());

it('the program of the guide to sockets renews the token of a Socket.IO client and of a plain WebSocket', async () => {
  const auth = await authOf('a');
  const session = await sessionOf(service, auth);
  const client = socketIoClient(service.base, session, auth);
  const plain = plainClient(service.base, session, auth);
  await Promise.all([client.next('connected'), plain.next('connected')]);
  const mint = async () => (await authOf('a')).invocation;
  await runInNewContext(`(async () => { ${program} })()`, { socket: client.socket, ws: plain.socket, mint, JSON });
  expect(await client.next('authenticated')).toMatchObject({ sessionId: session });
  expect(await plain.next('authenticated')).toMatchObject({ sessionId: session });
});
