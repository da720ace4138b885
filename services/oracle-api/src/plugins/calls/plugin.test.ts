import { Writable } from 'node:stream';
import { type CallTicket, callTicket } from '@mlango/schemas/oracle-calls';
import { createLogger, type Logger } from '@mlango/service-kit/logging';
import { TokenVerifier } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headersOf, newSession, testApp } from '../../../test/app.fixture.js';
import { createTestOracle, type TestOracle, type TestUser } from '../../create-test-oracle.js';
import { callSettings } from './settings.js';
import { standInLiveKit, webhook } from './stand-in-livekit.fixture.js';

const by = { key: 'APItests', secret: 'a-secret-of-tests-that-is-long-enough' };
const agentToken = 'an-agent-token-of-tests-that-is-long';

describe('calls', () => {
  let livekit: Awaited<ReturnType<typeof standInLiveKit>>;
  let oracle: TestOracle;
  const env = () => ({
    LIVEKIT_URL: livekit.url,
    LIVEKIT_API_KEY: by.key,
    LIVEKIT_API_SECRET: by.secret,
    CALLS_AGENT_TOKEN: agentToken,
  });
  beforeAll(async () => {
    livekit = await standInLiveKit(by);
    oracle = await createTestOracle({ env: env() });
  });
  afterAll(async () => {
    await oracle.close();
    livekit.close();
  });

  const start = async (user: TestUser, body: object) =>
    oracle.inject({ method: 'POST', url: '/calls', headers: user.headers, payload: body });
  async function called(body: object = {}): Promise<{ user: TestUser; sessionId: string; ticket: CallTicket }> {
    const user = await oracle.newUser();
    const sessionId = await user.openSession();
    const ticket = callTicket.parse((await start(user, { sessionId, ...body })).json());
    livekit.rooms.add(ticket.roomName);
    return { user, sessionId, ticket };
  }
  const get = async (user: TestUser, path: string) => oracle.inject({ url: `/calls${path}`, headers: user.headers });
  const end = async (user: TestUser, callId: string) =>
    oracle.inject({ method: 'DELETE', url: `/calls/${callId}`, headers: user.headers });
  const asAgent = async (callId: string, token = agentToken) =>
    oracle.inject({
      method: 'POST',
      url: `/calls/${callId}/agent`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });

  /** Starts a call at an oracle with other settings. */
  async function otherwise(changes: Record<string, string | undefined>, logger?: Logger) {
    const settings = new Map([['calls', callSettings.parse({ ...env(), ...changes })]]);
    const { app } = await testApp({ features: { calls: true }, settings, ...(logger === undefined ? {} : { logger }) });
    const headers = await headersOf('a');
    const payload = { sessionId: await newSession(app, headers) };
    const ticket = (await app.inject({ method: 'POST', url: '/calls', headers, payload })).json<CallTicket>();
    return { app, headers, ticket };
  }

  it('admit the user only to the room of their call, for five minutes', async () => {
    const { ticket } = await called();
    const { nbf = 0, exp, sub, video, roomConfig } = await new TokenVerifier(by.key, by.secret).verify(ticket.token);
    expect(video).toEqual({
      roomJoin: true,
      room: ticket.roomName,
      canSubscribe: true,
      canPublish: true,
      canPublishSources: ['microphone'],
      canPublishData: false,
      canUpdateOwnMetadata: false,
    });
    expect([sub, exp]).toEqual(['caller', nbf + 300]);
    expect(roomConfig).toMatchObject({ name: ticket.roomName, maxParticipants: 3, agents: [] });
    expect(ticket).toMatchObject({ url: livekit.url, status: 'open', kind: 'audio', identity: 'caller' });
    expect(Buffer.from(ticket.e2eeKey, 'base64')).toHaveLength(32);
    await expect(new TokenVerifier(by.key, 'another-secret').verify(ticket.token)).rejects.toThrow();
  });

  it('permit a camera only with video', async () => {
    const { ticket } = await called({ kind: 'video' });
    const { video } = await new TokenVerifier(by.key, by.secret).verify(ticket.token);
    expect(video?.canPublishSources).toEqual(['microphone', 'camera']);
  });

  it('admit a returning user again, with the same key', async () => {
    const { user, sessionId, ticket } = await called();
    const again = await start(user, { sessionId });
    expect(again.statusCode).toBe(200);
    expect(again.json()).toMatchObject({ callId: ticket.callId, e2eeKey: ticket.e2eeKey, roomName: ticket.roomName });
    await end(user, ticket.callId);
    const next = await start(user, { sessionId });
    expect(next.statusCode).toBe(201);
    expect(next.json().e2eeKey).not.toBe(ticket.e2eeKey);
  });

  it('are visible to their owner only', async () => {
    const { user, sessionId, ticket } = await called();
    const otherUser = await oracle.newUser();
    expect((await start(otherUser, { sessionId })).json()).toMatchObject({
      statusCode: 404,
      message: 'Session not found',
    });
    for (const reply of [await get(otherUser, `/${ticket.callId}`), await end(otherUser, ticket.callId)]) {
      expect(reply.json()).toMatchObject({ statusCode: 404, message: 'Call not found' });
    }
    expect((await get(otherUser, '')).json()).toEqual({ calls: [], total: 0 });
    expect((await get(otherUser, `?sessionId=${sessionId}`)).json()).toEqual({ calls: [], total: 0 });
    expect((await get(user, `/${ticket.callId}`)).json()).toMatchObject({ callId: ticket.callId, status: 'open' });
  });

  it('are listed without the data needed to join them', async () => {
    const { user, sessionId, ticket } = await called();
    const texts = [(await get(user, '')).body, (await get(user, `/${ticket.callId}`)).body];
    for (const text of texts) {
      expect(text).toContain(ticket.callId);
      for (const secret of [ticket.token, ticket.e2eeKey]) expect(text).not.toContain(secret);
    }
    expect((await get(user, `?sessionId=${sessionId}`)).json()).toMatchObject({ total: 1 });
    expect((await get(user, '?limit=0')).statusCode).toBe(400);
    expect((await start(user, { sessionId: '../x' })).statusCode).toBe(400);
    expect((await start(user, { sessionId, kind: 'smell' })).statusCode).toBe(400);
  });

  it('end once, together with their room, and the record stays', async () => {
    const { user, ticket } = await called();
    const ended = (await end(user, ticket.callId)).json();
    expect(ended).toMatchObject({ status: 'ended', endReason: 'hung_up', participants: [] });
    expect(livekit.closed).toContain(ticket.roomName);
    expect((await end(user, ticket.callId)).json()).toEqual(ended);
    expect((await get(user, `/${ticket.callId}`)).json()).toEqual(ended);
    expect((await asAgent(ticket.callId)).statusCode).toBe(404);
  });

  it('are deleted with their session', async () => {
    const { user, sessionId, ticket } = await called();
    await oracle.inject({ method: 'DELETE', url: `/sessions/${sessionId}`, headers: user.headers });
    expect((await get(user, `/${ticket.callId}`)).statusCode).toBe(404);
    expect((await asAgent(ticket.callId)).statusCode).toBe(404);
  });

  it('are limited per user', async () => {
    const { user } = await called();
    for (const _ of [2, 3]) expect((await start(user, { sessionId: await user.openSession() })).statusCode).toBe(201);
    expect((await start(user, { sessionId: await user.openSession() })).statusCode).toBe(409);
  });

  it("give the oracle's side the same key, and an identity of its own in the room", async () => {
    const { ticket } = await called();
    const joined = (await asAgent(ticket.callId)).json<CallTicket>();
    expect(joined).toMatchObject({ identity: 'agent', roomName: ticket.roomName, e2eeKey: ticket.e2eeKey });
    const { video, kind } = await new TokenVerifier(by.key, by.secret).verify(joined.token);
    expect([video?.room, video?.canPublishData, kind]).toEqual([ticket.roomName, true, 'agent']);
    expect((await asAgent(ticket.callId, 'another-token')).statusCode).toBe(401);
    expect((await asAgent('none')).statusCode).toBe(404);
  });

  it("have no oracle's side if its token is not configured", async () => {
    const { app, ticket } = await otherwise({ CALLS_AGENT_TOKEN: undefined });
    expect((await app.inject({ method: 'POST', url: `/calls/${ticket.callId}/agent` })).statusCode).toBe(404);
    await app.close();
  });

  it("record arrivals and departures from the media server's events", async () => {
    const { user, ticket } = await called();
    const room = { name: ticket.roomName };
    const tell = async (event: object) => (await oracle.inject(await webhook({ room, ...event }, by))).statusCode;
    const participant = { identity: 'caller' };
    expect(await tell({ event: 'participant_joined', participant, createdAt: '1700000000' })).toBe(200);
    expect((await get(user, `/${ticket.callId}`)).json()).toMatchObject({
      status: 'active',
      startedAt: '2023-11-14T22:13:20.000Z',
      participants: [{ identity: 'caller', joinedAt: '2023-11-14T22:13:20.000Z' }],
    });
    await tell({ event: 'participant_left', participant, createdAt: '1700000009' });
    await tell({ event: 'track_published', participant, createdAt: '1700000009' });
    await tell({ event: 'room_finished', createdAt: '1700000010' });
    expect((await get(user, `/${ticket.callId}`)).json()).toMatchObject({
      status: 'ended',
      endReason: 'room_closed',
      participants: [{ leftAt: '2023-11-14T22:13:29.000Z' }],
    });
    expect(await tell({ event: 'room_finished', room: { name: 'somebody-elses' }, createdAt: '1700000010' })).toBe(200);
  });

  it("reject a webhook without the media server's signature of its body", async () => {
    const { user, ticket } = await called();
    const event = { event: 'room_finished', room: { name: ticket.roomName }, createdAt: '1700000010' };
    const signed = await webhook(event, by);
    const { authorization: _, ...unsigned } = signed.headers;
    const forged = [
      await webhook(event, { ...by, secret: 'another-secret-that-is-long-enough-too' }),
      await webhook(event, { ...by, key: 'another-key' }),
      { ...signed, payload: `${signed.payload} ` },
      { ...signed, payload: '' },
      { ...signed, headers: unsigned },
      { ...signed, headers: { ...signed.headers, authorization: ticket.token } },
    ];
    for (const one of forged) expect((await oracle.inject(one)).statusCode).toBe(403);
    expect((await get(user, `/${ticket.callId}`)).json().status).toBe('open');
  });

  it('send the configured agent into each room', async () => {
    const { app, ticket } = await otherwise({ LIVEKIT_AGENT_NAME: 'speaker' });
    const { roomConfig } = await new TokenVerifier(by.key, by.secret).verify(ticket.token);
    const metadata = JSON.stringify({ callId: ticket.callId });
    expect(roomConfig?.agents).toMatchObject([{ agentName: 'speaker', metadata }]);
    await app.close();
  });

  it('end also while the media server is unavailable, and log no secret', async () => {
    const lines: string[] = [];
    const destination = new Writable({
      write: (line, _, done) => {
        lines.push(String(line));
        done();
      },
    });
    const logger = createLogger({ service: 'test', level: 'trace', destination });
    const { app, headers, ticket } = await otherwise({ LIVEKIT_URL: 'ws://127.0.0.1:9' }, logger);
    const ended = await app.inject({ method: 'DELETE', url: `/calls/${ticket.callId}`, headers });
    expect(ended.json()).toMatchObject({ status: 'ended' });
    await app.inject(await webhook({}, { ...by, secret: 'another-secret-that-is-long-enough-too' }));
    await app.close();
    expect(lines.join('')).toContain('room not closed');
    for (const hidden of [by.secret, agentToken, ticket.token, ticket.e2eeKey]) {
      expect(lines.join('')).not.toContain(hidden);
    }
  });
});
