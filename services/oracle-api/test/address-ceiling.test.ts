import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { mintInvocation, signerFromSeed, type UcanSigner } from '@mlango/ucan-auth/minting';
import { afterEach, describe, expect, it } from 'vitest';
import {
  authOf,
  closeClients,
  listening,
  plainClient,
  sessionOf,
  socketIoClient,
} from '../src/sockets/sockets.fixture.js';
import { newSession, oracle, type TestOptions, testApp } from './app.fixture.js';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function appWith(options: TestOptions) {
  const { app } = await testApp(options);
  cleanUps.push(() => app.close());
  return app;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' });
const signerNumber = (index: number, did?: string): UcanSigner =>
  signerFromSeed(Buffer.from(index.toString(16).padStart(64, '0'), 'hex'), did);
const tokenOf = (signer: UcanSigner) => mintInvocation({ signer, audience: oracle.did });

describe('an address with a new DID for each request', () => {
  it('is limited by its address, and no token is verified beyond the limit', async () => {
    const auth = createUcanAuth({ audiences: [oracle.did] });
    let judged = 0;
    const counting = {
      ...auth,
      request: (...args: Parameters<typeof auth.request>) => {
        judged += 1;
        return auth.request(...args);
      },
    };
    const app = await appWith({ auth: counting, rateLimitMax: 120, rateLimitPerAddress: 200 });
    const attempt = async (index: number, remoteAddress = '192.0.2.7') =>
      app.inject({ url: '/sessions', headers: bearer(await tokenOf(signerNumber(index))), remoteAddress });
    const replies = await Promise.all(Array.from({ length: 300 }, (_, index) => attempt(index + 1)));
    const served = replies.filter(({ statusCode }) => statusCode === 200);
    const refused = replies.filter(({ statusCode }) => statusCode === 429);
    expect([served.length, refused.length, judged]).toEqual([200, 100, 200]);
    expect(refused[0]?.json()).toEqual({
      statusCode: 429,
      error: 'Too Many Requests',
      message: expect.stringMatching(/^Too many requests\. Retry in \d+ seconds\.$/),
    });
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await attempt(1, '198.51.100.1')).statusCode).toBe(200);
    expect((await app.inject({ url: '/health', remoteAddress: '192.0.2.7' })).statusCode).toBe(200);
  });

  it('is counted per IPv6 /64, and by the forwarded address behind a trusted proxy', async () => {
    const app = await appWith({ rateLimitPerAddress: 1, trustProxy: ['10.0.0.0/8'] });
    const headers = bearer(await tokenOf(signerNumber(1)));
    const attempt = async (remoteAddress: string, forwarded?: string) => {
      const more = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
      return (await app.inject({ url: '/sessions', headers: { ...headers, ...more }, remoteAddress })).statusCode;
    };
    expect([await attempt('2001:db8::1'), await attempt('2001:db8::2'), await attempt('2001:db8:0:1::1')]).toEqual([
      200, 429, 200,
    ]);
    expect([await attempt('10.0.0.1', '192.0.2.1'), await attempt('10.0.0.1', '192.0.2.2')]).toEqual([200, 200]);
    expect([await attempt('203.0.113.9', '192.0.2.3'), await attempt('203.0.113.9', '192.0.2.4')]).toEqual([200, 429]);
  });

  it('has ten times the limit of one user by default', async () => {
    const app = await appWith({ rateLimitMax: 2 });
    const statuses = [];
    for (let index = 1; index <= 21; index += 1) {
      const headers = bearer(await tokenOf(signerNumber(index)));
      statuses.push((await app.inject({ url: '/sessions', headers })).statusCode);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(200), 429]);
  });
});

describe('handshakes of sockets', () => {
  async function serviceWith(rateLimitPerAddress: number) {
    const service = await listening({ rateLimitPerAddress, trustProxy: ['127.0.0.0/8'] });
    cleanUps.push(
      () => service.close(),
      async () => closeClients(),
    );
    const asha = await authOf('a');
    return { service, asha, sessionId: await sessionOf(service, asha) };
  }

  it('of a plain WebSocket count against the limit of their address, valid or not', async () => {
    const { service, asha, sessionId } = await serviceWith(3);
    // The first of three was for the session.
    await plainClient(service.base, sessionId, asha).next('connected');
    expect((await plainClient(service.base, sessionId, { invocation: 'AAAA' }).closed).code).toBe(4401);
    const refused = await fetch(`${service.base}/ws?sessionId=${sessionId}`);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await plainClient(service.base, sessionId, asha).closed).code).toBe(1006);
  });

  it.each([['websocket'], ['polling']])('of socket.io over %s count too', async (transport) => {
    const { service, asha, sessionId } = await serviceWith(2);
    const connect = (address: string) =>
      socketIoClient(service.base, sessionId, asha, {
        transports: [transport],
        extraHeaders: { 'x-forwarded-for': address },
      });
    for (let count = 0; count < 2; count += 1) await connect('192.0.2.7').next('connected');
    await connect('192.0.2.7').next('connect_error');
    await connect('192.0.2.8').next('connected');
    const poll = await fetch(`${service.base}/socket.io/?EIO=4&transport=polling`, {
      headers: { 'x-forwarded-for': '192.0.2.7' },
    });
    expect([poll.status, Number(poll.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });
});

describe('renewals of an open socket', () => {
  it('count against the limit of their address, and no token is verified beyond it', async () => {
    const auth = createUcanAuth({ audiences: [oracle.did] });
    let judged = 0;
    const counting = {
      ...auth,
      handshake: (...shown: Parameters<typeof auth.handshake>) => {
        judged += 1;
        return auth.handshake(...shown);
      },
    };
    const service = await listening({ auth: counting, rateLimitPerAddress: 3 });
    cleanUps.push(
      () => service.close(),
      async () => closeClients(),
    );
    const asha = await authOf('a');
    const client = plainClient(service.base, await sessionOf(service, asha), asha);
    await client.next('connected');
    client.send('auth', asha);
    await client.next('authenticated');
    client.send('auth', asha);
    const message = expect.stringMatching(/^Too many requests\. Retry in \d+ seconds\.$/);
    expect(await client.next('auth_error')).toMatchObject({ code: 'too_many', message });
    expect(judged).toBe(2);
    client.send('ping');
    await client.next('pong');
  });
});

describe('messages to the model', () => {
  it('are limited per address and day over all users, and refused before a stream has begun', async () => {
    const app = await appWith({ turnsPerAddress: 3 });
    const send = async (index: number, stream: boolean, remoteAddress = '192.0.2.7') => {
      const headers = bearer(await tokenOf(signerNumber(index)));
      const sessionId = await newSession(app, headers);
      const payload = { message: 'hi', stream };
      return app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload, remoteAddress });
    };
    for (let index = 1; index <= 3; index += 1) expect((await send(index, index === 1)).statusCode).toBe(200);
    for (const stream of [true, false]) {
      const refused = await send(4, stream);
      expect([refused.statusCode, refused.headers['content-type']]).toEqual([429, 'application/json; charset=utf-8']);
      expect(refused.json()).toMatchObject({ statusCode: 429, message: expect.stringContaining('in one day') });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
    }
    expect((await send(4, true, '198.51.100.1')).statusCode).toBe(200);
  });
});
