import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mintDelegation, mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { OracleCredentials } from '../src/api/identity/oracle-credentials.js';
import { TokenCache } from '../src/api/identity/token-cache.js';
import { SessionSocket } from '../src/api/sockets/session-socket.js';
import { oracleAddress, startProgram } from './program.fixture.js';

const closers: (() => unknown)[] = [];
const signer = signerFromSeed(Buffer.alloc(32, 'a'));

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** How far the clock of a service is ahead of the local one, in ms. */
let aheadMs = 0;
const now = () => Math.floor((Date.now() + aheadMs) / 1_000);

/** A socket with invocations of the given lifetime, and its events. */
function pageSocket(url: string, sessionId: string, audience: string, lifetimeSeconds = 3) {
  const events: { event: string; data: Readonly<Record<string, unknown>> }[] = [];
  const wallet = { refuses: false, refused: 0 };
  const artifacts = (mint: () => Promise<string>, seconds: number) =>
    new TokenCache({
      nowMs: () => Date.now(),
      marginMs: 60_000,
      sign: async () => {
        if (wallet.refuses) {
          wallet.refused += 1;
          throw new Error('not today');
        }
        return { serialized: await mint(), expiresAt: Date.now() + seconds * 1_000 };
      },
    });
  const capabilities = [{ can: '*', with: 'ixo:oracle' }] as const;
  const credentials = new OracleCredentials(
    {
      wallet: { address: '', did: signer.did, matrix: { accessToken: '', homeServer: '' } },
      invocations: artifacts(() => mintInvocation({ signer, audience, lifetimeSeconds, now }), lifetimeSeconds),
      delegations: artifacts(() => mintDelegation({ signer, audience, capabilities, now }), 86_400),
    },
    audience,
  );
  const connections: boolean[] = [];
  const socket = new SessionSocket({
    url,
    sessionId,
    credentials,
    onEvent: (event, data) => events.push({ event, data }),
    onConnection: (isConnected) => connections.push(isConnected),
    onNoSession: () => undefined,
    onGap: () => undefined,
  });
  closers.push(() => socket.close());
  socket.open();
  const named = (name: string) => events.filter(({ event }) => event === name);
  return { socket, wallet, connections, named };
}

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 20 });

describe('the socket of a page', () => {
  let service: Awaited<ReturnType<typeof start>>;
  const start = () => startProgram('moved-clock-program.fixture.ts', oracleAddress);
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.stop());

  it('stays open beyond the expiry of its first token, while a socket without renewal is cut', {
    timeout: 30_000,
  }, async () => {
    const { baseUrl, oracleDid: audience } = service.started;
    const invocation = await mintInvocation({ signer, audience, lifetimeSeconds: 3 });
    const headers = { authorization: `Bearer ${invocation}`, 'x-auth-type': 'ucan' };
    const reply = await fetch(`${baseUrl}/sessions`, { method: 'POST', headers });
    const { sessionId } = (await reply.json()) as { sessionId: string };
    const stock = io(baseUrl, { query: { sessionId }, auth: { invocation }, transports: ['websocket'] });
    closers.push(() => stock.disconnect());
    const reasons: string[] = [];
    stock.on('disconnect', (reason) => reasons.push(reason));
    await vi.waitFor(() => expect(stock.connected).toBe(true));
    const page = pageSocket(baseUrl, sessionId, audience);
    // The service closes a socket a minute after the expiry of its token: two of these steps, but not one, are longer.
    for (let renewals = 1; renewals <= 2; renewals += 1) {
      await until(() => expect(page.named('authenticated')).toHaveLength(renewals));
      aheadMs += 45_000;
      service.child.stdin?.write('45000\n');
    }
    await until(() => expect(reasons).toEqual(['io server disconnect']));
    await until(() => expect(page.named('authenticated').length).toBeGreaterThan(2));
    expect(page.connections).toEqual([true]);
  });
});

describe('a socket at another server of this protocol', () => {
  /** A scripted server. */
  async function otherServer() {
    const http = createServer();
    const server = new Server(http);
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    closers.push(() => server.close());
    const shown: string[] = [];
    const opened: string[] = [];
    server.on('connection', (socket) => {
      opened.push(socket.handshake.auth['invocation'] as string);
      socket.on('auth', ({ invocation }: { invocation: string }) => shown.push(invocation));
      socket.emit('connected', { sessionId: 's' });
    });
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    return { server, shown, opened, url };
  }

  it('continues if the server does not support token renewal', async () => {
    const { shown, url } = await otherServer();
    const page = pageSocket(url, 's', 'did:ixo:other', 2);
    await until(() => expect(shown).toHaveLength(2));
    expect(new Set(shown).size).toBe(2);
    expect(page.connections).toEqual([true]);
  });

  it('reconnects with a new token after the server closed it for the token', async () => {
    const { server, opened, url } = await otherServer();
    const page = pageSocket(url, 's', 'did:ixo:other', 300);
    await until(() => expect(page.named('connected')).toHaveLength(1));
    server.emit('closing', { sessionId: 's', code: 'unauthenticated', reason: 'revoked' });
    server.disconnectSockets(true);
    await until(() => expect(opened).toHaveLength(2));
    expect(opened[1]).not.toBe(opened[0]);
    await until(() => expect(page.connections).toEqual([true, false, true]));
  });

  it('stays closed for a wallet that does not sign, until the next request', async () => {
    const { server, opened, url } = await otherServer();
    const page = pageSocket(url, 's', 'did:ixo:other', 2);
    await until(() => expect(page.named('connected')).toHaveLength(1));
    page.wallet.refuses = true;
    await until(() => expect(page.wallet.refused).toBe(1));
    server.emit('closing', { sessionId: 's', code: 'unauthenticated', reason: 'expired' });
    server.disconnectSockets(true);
    await until(() => expect(page.connections).toEqual([true, false]));
    // Longer than the reconnect delay of a socket.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect([opened.length, page.wallet.refused]).toEqual([1, 1]);
    page.wallet.refuses = false;
    page.socket.open();
    await until(() => expect(opened).toHaveLength(2));
  });
});
