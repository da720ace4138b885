import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { MemoryConversationStore } from '../store/memory-conversation-store.fixture.js';
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

/** A session store with delayed reads. */
class GatedConversations extends MemoryConversationStore {
  gate = Promise.resolve();
  waiting = 0;

  override async findSession(...session: Parameters<MemoryConversationStore['findSession']>) {
    this.waiting += 1;
    await this.gate;
    return super.findSession(...session);
  }
}

const conversations = new GatedConversations();
let service: Service;
beforeAll(async () => {
  service = await listening({ auth: new MovedClock().auth(), conversations });
});
afterEach(closeClients);
afterAll(() => service.close());

it('a revocation during the admission, after the token check, closes the socket', async () => {
  const [lost, own] = [await authOf('a'), await authOf('a')];
  const sessionId = await sessionOf(service, own);
  let open = () => {};
  conversations.gate = new Promise((resolve) => {
    open = resolve;
  });
  const before = conversations.waiting;
  const client = plainClient(service.base, sessionId, lost);
  await vi.waitFor(() => expect(conversations.waiting).toBe(before + 1));
  const headers = { authorization: `Bearer ${own.invocation}`, 'x-auth-type': 'ucan' };
  const payload = { token: await takeBackBy('a', lost.invocation) };
  const reply = await service.app.inject({ method: 'POST', url: '/revocations', headers, payload });
  expect(reply.statusCode).toBe(200);
  open();
  await client.next('connected');
  expect(await client.closed).toEqual({ code: 4401, reason: 'revoked' });
});
