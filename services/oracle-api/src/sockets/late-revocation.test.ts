import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { gate } from '../models/scripted-model.fixture.js';
import { MovedClock } from './moved-clock.fixture.js';
import {
  authOf,
  closeClients,
  listening,
  plainClient,
  type Service,
  sessionOf,
  takeBackBy,
} from './sockets.fixture.js';

let service: Service;
beforeAll(async () => {
  service = await listening({ auth: new MovedClock().auth() });
});
afterEach(closeClients);
afterAll(() => service.close());

it('a revocation during the admission, after the token check, closes the socket', async () => {
  const [lost, own] = [await authOf('a'), await authOf('a')];
  const sessionId = await sessionOf(service, own);
  const { opened, open } = gate();
  const { conversations } = service.deps;
  const find = conversations.findSession.bind(conversations);
  const reads = vi.spyOn(conversations, 'findSession').mockImplementation(async (...session) => {
    await opened;
    return find(...session);
  });
  const client = plainClient(service.base, sessionId, lost);
  await vi.waitFor(() => expect(reads).toHaveBeenCalledTimes(1));
  const headers = { authorization: `Bearer ${own.invocation}`, 'x-auth-type': 'ucan' };
  const payload = { token: await takeBackBy('a', lost.invocation) };
  const reply = await service.app.inject({ method: 'POST', url: '/revocations', headers, payload });
  expect(reply.statusCode).toBe(200);
  open();
  await client.next('connected');
  expect(await client.closed).toEqual({ code: 4401, reason: 'revoked' });
});
