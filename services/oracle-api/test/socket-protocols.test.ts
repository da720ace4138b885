import { mintDelegation, mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  authOf,
  closeClients,
  didOf,
  listening,
  plainClient,
  type Service,
  type SocketAuth,
  socketIoClient,
} from '../src/sockets/sockets.fixture.js';
import { oracle } from './app.fixture.js';
import { publishedClient } from './published-client.fixture.js';

const missing =
  'Missing UCAN authentication: provide Authorization: Bearer <invocation> with X-Auth-Type: ucan, or an x-ucan-delegation header';
const invalid = 'Invalid UCAN invocation';
const signer = signerFromSeed(Buffer.alloc(32, 'a'));

let service: Service;
let asha: { invocation: string };
let ucanDelegation: string;
let expired: string;
let sessionId: string;
beforeAll(async () => {
  service = await listening();
  asha = await authOf('a');
  sessionId = await publishedClient(service.base, asha).newSession();
  expired = await mintInvocation({ signer, audience: oracle.did, expiresAt: Math.floor(Date.now() / 1000) - 1 });
  const capabilities = [{ can: 'store/add', with: signer.did }] as const;
  ucanDelegation = await mintDelegation({ signer, audience: oracle.did, capabilities: [...capabilities] });
});
afterEach(() => closeClients());
afterAll(() => service.close());

const clients = [
  ['socket.io', (auth: SocketAuth, id: string | undefined = sessionId) => socketIoClient(service.base, id, auth)],
  ['a plain WebSocket', (auth: SocketAuth, id: string | undefined = sessionId) => plainClient(service.base, id, auth)],
] as const;

describe.each(clients)('a client of %s', (_name, connect) => {
  it('is accepted with its invocation, or a delegation alone, and first gets connected', async () => {
    for (const auth of [asha, { ucanDelegation }, { ...asha, ucanDelegation }]) {
      const client = connect(auth);
      const timestamp = expect.stringMatching(/Z$/);
      expect(await client.next('connected')).toEqual({ message: expect.any(String), sessionId, timestamp });
      expect(client.received[0]?.event).toBe('connected');
    }
  });

  it('gets all events from the time it is connected', async () => {
    const client = connect(asha);
    let isNotified = false;
    const notify = () => {
      if (isNotified) return;
      isNotified = true;
      const turn = { runId: 'run', ownerDid: didOf('a'), sessionId, requestId: 'r1' };
      const data = { sessionId, requestId: 'r1', step: 'at once' };
      service.deps.realtime.turnEvents.emit(turn, { event: 'router_update', data });
    };
    if ('io' in client.socket) client.socket.on('connect', notify);
    else client.socket.addEventListener('message', notify);
    expect(await client.next('router_update')).toEqual({ sessionId, requestId: 'r1', step: 'at once' });
  });

  it('is disconnected at once with the texts of HTTP without a valid token', async () => {
    const stranger = await mintInvocation({ signer, audience: didOf('x') });
    const refusals: [SocketAuth, string][] = [
      [{}, missing],
      [{ ucanDelegation: 'AAAA' }, missing],
      [{ invocation: 'AAAA' }, invalid],
      [{ invocation: expired }, invalid],
      [{ invocation: stranger }, invalid],
      [{ invocation: expired, ucanDelegation }, invalid],
    ];
    for (const [auth, message] of refusals) {
      const client = connect(auth);
      expect((await client.next('connect_error'))['message']).toBe(message);
      expect(client.received.map(({ event }) => event)).not.toContain('connected');
    }
  });

  it('is disconnected at once without a session, and with a foreign one', async () => {
    const baraka = await authOf('b');
    const pretender = { ...baraka, did: didOf('a') };
    for (const [auth, id, message] of [
      [asha, '', /^Missing sessionId/],
      [asha, 'absent', /^Session not found$/],
      [baraka, sessionId, /^Session not found$/],
      [pretender, sessionId, /^Session not found$/],
    ] as const) {
      expect((await connect(auth, id).next('connect_error'))['message']).toMatch(message);
    }
  });
});
