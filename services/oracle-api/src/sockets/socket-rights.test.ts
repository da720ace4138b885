import { mintDelegation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { oracle } from '../../test/app.fixture.js';
import { socketLimitsFor } from './limits.js';
import { MovedClock } from './moved-clock.fixture.js';
import {
  authOf,
  closeClients,
  didOf,
  listening,
  plainClient,
  type Received,
  type Service,
  type SocketAuth,
  sessionOf,
  socketIoClient,
  takeBackBy,
} from './sockets.fixture.js';

const clock = new MovedClock();
let service: Service;
let asha: { invocation: string };
let sessionId: string;
beforeAll(async () => {
  const { rights } = socketLimitsFor(1_000);
  const limits = { rights: { ...rights, sweepEveryMs: 20 } };
  service = await listening({ auth: clock.auth(), nowMs: clock.nowMs, limits });
});
beforeEach(async () => {
  clock.aheadMs = 0;
  asha = await authOf('a');
  sessionId = await sessionOf(service, asha);
});
afterEach(async () => {
  closeClients();
  await vi.waitFor(() => expect(service.deps.realtime.connectionLimit.taken).toBe(0));
});
afterAll(() => service.close());

/** A client of either protocol in the session. */
const connectBy = {
  'Socket.IO': async (auth: SocketAuth) => {
    const client = socketIoClient(service.base, sessionId, auth);
    await client.next('connected');
    return {
      received: client.received,
      next: (event: string) => client.next(event),
      send: (event: string, data?: unknown) => void client.socket.emit(event, data),
      isOpen: () => client.socket.connected,
      ended: () => client.next('disconnect'),
    };
  },
  '/ws': async (auth: SocketAuth) => {
    const client = plainClient(service.base, sessionId, auth);
    await client.next('connected');
    return {
      received: client.received,
      next: (event: string) => client.next(event),
      send: (event: string, data?: unknown) => client.send(event, data),
      isOpen: () => client.socket.readyState === client.socket.OPEN,
      ended: () => client.closed,
    };
  },
};
const kinds = [['Socket.IO'], ['/ws']] as const;

/** Expected end of a socket: a close code, or the Socket.IO reason of a deliberate close. */
const endOf = {
  'Socket.IO': () => ({ reason: 'io server disconnect' }),
  '/ws': (reason: string) => ({ code: 4401, reason }),
};

const closing = (reason: string) => ({
  sessionId,
  code: 'unauthenticated',
  reason,
  message: expect.stringMatching(/^The token of this socket/),
  timestamp: expect.any(String),
});

/** Resolves if the socket still answers after all due sweeps. */
async function stays(client: { send(event: string): void; received: Received[]; isOpen(): boolean }): Promise<void> {
  // A sweep may have begun before.
  for (let count = 0; count < 2; count += 1) await service.deps.realtime.sweep();
  const pongs = () => client.received.filter(({ event }) => event === 'pong').length;
  const before = pongs();
  client.send('ping');
  await vi.waitFor(() => expect(pongs()).toBe(before + 1));
}

function revoke(token: string, by: SocketAuth) {
  const headers = { authorization: `Bearer ${by.invocation}`, 'x-auth-type': 'ucan' };
  return service.app.inject({ method: 'POST', url: '/revocations', headers, payload: { token } });
}

describe.each(kinds)('a socket of %s', (kind) => {
  const connect = connectBy[kind];

  it('stays for 60 seconds after its token has expired, and no longer', async () => {
    const client = await connect(asha);
    clock.aheadMs = 358_000;
    await stays(client);
    clock.aheadMs = 361_000;
    expect(await client.ended()).toEqual(endOf[kind]('expired'));
    expect(client.received.find(({ event }) => event === 'closing')?.data).toEqual(closing('expired'));
    expect(service.deps.realtime.hub.stats.totalConnections).toBe(0);
  });

  it('that presents a fresh token stays as long as that one allows', async () => {
    const client = await connect(asha);
    clock.aheadMs = 290_000;
    client.send('auth', await authOf('a', 300, clock));
    const { validUntil, closesAt } = (await client.next('authenticated')) as Record<string, string>;
    expect(Date.parse(closesAt ?? '') - Date.parse(validUntil ?? '')).toBe(60_000);
    expect(Math.abs(Date.parse(validUntil ?? '') - (clock.nowMs() + 300_000))).toBeLessThan(2_000);
    clock.aheadMs = 640_000;
    await stays(client);
    clock.aheadMs = 655_000;
    expect(await client.ended()).toEqual(endOf[kind]('expired'));
  });

  it('may renew within the grace period after its token has expired', async () => {
    const client = await connect(asha);
    clock.aheadMs = 350_000;
    client.send('auth', await authOf('a', 300, clock));
    await client.next('authenticated');
    clock.aheadMs = 600_000;
    await stays(client);
  });

  it.each([
    ['nothing', async () => undefined, /^Missing UCAN/],
    ['an unreadable token', async () => ({ invocation: 'AAAA' }), /^Invalid UCAN invocation$/],
    ['an expired one', () => authOf('a', -10), /^Invalid UCAN invocation$/],
    ["another user's", () => authOf('b'), /^Invalid UCAN invocation$/],
    ['a revoked one', takenBack, /^Invalid UCAN invocation$/],
    ['an invalid one with a valid delegation', badBesideGood, /^Invalid UCAN invocation$/],
  ])('that presents %s gets an error, and stays as long as before', async (_, shown, message) => {
    const client = await connect(asha);
    client.send('auth', await shown());
    expect(await client.next('auth_error')).toEqual({
      sessionId,
      code: 'unauthenticated',
      message: expect.stringMatching(message),
      timestamp: expect.any(String),
    });
    await stays(client);
    clock.aheadMs = 361_000;
    expect(await client.ended()).toEqual(endOf[kind]('expired'));
  });

  it('may renew a bounded number of times', async () => {
    const client = await connect(asha);
    for (let count = 0; count < 8; count += 1) client.send('auth', asha);
    const refusals = () =>
      client.received.filter(({ event }) => event === 'auth_error').map(({ data }) => data['code']);
    await vi.waitFor(() => expect(refusals()).toEqual(['too_many', 'too_many', 'too_many']));
    await stays(client);
  });

  it('ends with the revocation of its token, and no other socket does', async () => {
    const other = await connect(await authOf('a'));
    const client = await connect(asha);
    expect((await revoke(await takeBackBy('a', asha.invocation), asha)).statusCode).toBe(200);
    expect(await client.ended()).toEqual(endOf[kind]('revoked'));
    expect(client.received.at(kind === '/ws' ? -1 : -2)).toEqual({ event: 'closing', data: closing('revoked') });
    await stays(other);
  });

  it('does not end by a revocation of an issuer outside its path', async () => {
    const client = await connect(asha);
    const baraka = await authOf('b');
    expect((await revoke(await takeBackBy('b', asha.invocation), baraka)).statusCode).toBe(200);
    clock.aheadMs = 120_000;
    await stays(client);
  });

  it('ends if a proof of its token is revoked', async () => {
    const capabilities = [{ can: '*', with: 'ixo:oracle' }] as const;
    const signer = signerFromSeed(Buffer.alloc(32, 'c'));
    const grant = await mintDelegation({ signer, audience: didOf('a'), capabilities });
    const client = await connect(await authOf('a', 300, { proofs: [grant] }));
    const juma = await authOf('c');
    expect((await revoke(await takeBackBy('c', grant), juma)).statusCode).toBe(200);
    expect(await client.ended()).toEqual(endOf[kind]('revoked'));
  });

  it('that was renewed since does not end with its first token', async () => {
    const client = await connect(asha);
    const fresh = await authOf('a');
    client.send('auth', fresh);
    await client.next('authenticated');
    await revoke(await takeBackBy('a', asha.invocation), fresh);
    await stays(client);
    await revoke(await takeBackBy('a', fresh.invocation), fresh);
    expect(await client.ended()).toEqual(endOf[kind]('revoked'));
  });
});

describe('a socket of Socket.IO over polling', () => {
  it('gets the close reason too', async () => {
    const client = socketIoClient(service.base, sessionId, asha, { transports: ['polling'] });
    await client.next('connected');
    clock.aheadMs = 361_000;
    expect(await client.next('closing')).toEqual(closing('expired'));
    expect(await client.next('disconnect')).toEqual({ reason: 'io server disconnect' });
  });
});

describe('a revocation without a notification', () => {
  it('is found within a minute', async () => {
    const client = await connectBy['/ws'](asha);
    await stays(client);
    // Directly in the store, like another service that shares it.
    await service.deps.auth.revoke(await takeBackBy('a', asha.invocation));
    await stays(client);
    clock.aheadMs = 61_000;
    expect(await client.ended()).toEqual(endOf['/ws']('revoked'));
  });
});

async function takenBack(): Promise<SocketAuth> {
  const auth = await authOf('a');
  await service.deps.auth.revoke(await takeBackBy('a', auth.invocation));
  return auth;
}

async function badBesideGood(): Promise<SocketAuth> {
  const capabilities = [{ can: '*', with: 'ixo:oracle' }] as const;
  const signer = signerFromSeed(Buffer.alloc(32, 'a'));
  return { invocation: 'AAAA', ucanDelegation: await mintDelegation({ signer, audience: oracle.did, capabilities }) };
}
