import { WebSocket } from 'undici';
import { afterEach, expect, it, vi } from 'vitest';
import {
  authOf,
  closeClients,
  listening,
  plainClient,
  type Service,
  sessionOf,
  socketIoClient,
} from './sockets.fixture.js';

let service: Service;
afterEach(async () => {
  closeClients();
  await service.close();
});
const open = async () => {
  service = await listening({ socketsPerAddress: 3, trustProxy: ['127.0.0.1/32'] });
};
const taken = () => service.deps.pools.connections.taken;

it('an address has a limited share of sockets, however many users it creates; others have theirs', async () => {
  await open();
  for (const letter of ['a', 'b', 'c']) {
    const auth = await authOf(letter);
    await socketIoClient(service.base, await sessionOf(service, auth), auth).next('connected');
  }
  const auth = await authOf('d');
  const sessionId = await sessionOf(service, auth);
  const refused = plainClient(service.base, sessionId, auth);
  expect(await refused.next('connect_error')).toMatchObject({ code: 'too_many' });
  const dropped = socketIoClient(service.base, sessionId, auth);
  await vi.waitFor(() => expect(dropped.received.length).toBeGreaterThan(0));
  expect(dropped.socket.connected).toBe(false);
  const extraHeaders = { 'x-forwarded-for': '203.0.113.7' };
  await socketIoClient(service.base, sessionId, auth, { extraHeaders }).next('connected');
});

it('unauthenticated connections count, and are released when they end', async () => {
  await open();
  const url = service.base.replace('http', 'ws');
  const silent = ['/ws?sessionId=x', '/ws?sessionId=x', '/socket.io/?EIO=4&transport=websocket'].map(
    (path) => new WebSocket(`${url}${path}`),
  );
  await vi.waitFor(() => expect(taken()).toBe(3));
  const auth = await authOf('a');
  const sessionId = await sessionOf(service, auth);
  expect(await plainClient(service.base, sessionId, auth).next('connect_error')).toMatchObject({ code: 'too_many' });
  for (const socket of silent) socket.close();
  await vi.waitFor(() => expect(taken()).toBe(0));
  await plainClient(service.base, sessionId, auth).next('connected');
});
