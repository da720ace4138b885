import { converseAbility } from '@mlango/schemas/oracle-delegation';
import { mintDelegation, mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { oracle } from '../../test/app.fixture.js';
import { MovedClock } from './moved-clock.fixture.js';
import {
  authOf,
  browserCall,
  closeClients,
  didOf,
  listening,
  plainClient,
  type Service,
  sessionOf,
  socketIoClient,
  takeBackBy,
} from './sockets.fixture.js';

const clock = new MovedClock();
const signerOf = (letter: string) => signerFromSeed(Buffer.alloc(32, letter));

let service: Service;
let asha: { invocation: string };
let sessionId: string;
beforeAll(async () => {
  service = await listening({ auth: clock.auth(), nowMs: clock.nowMs });
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

/** Delegation of Asha to an actor: by default `oracle/converse` for one hour. */
function grantTo(actor: string, { can = converseAbility as string, lifetimeSeconds = 3_600 } = {}): Promise<string> {
  const capability = { can, with: didOf('a') } as const;
  return mintDelegation({ signer: signerOf('a'), audience: didOf(actor), capabilities: [capability], lifetimeSeconds });
}

async function actingBy(actor: string, ...proofs: string[]): Promise<{ invocation: string }> {
  const capability = { can: converseAbility, with: didOf('a') };
  return {
    invocation: await mintInvocation({ signer: signerOf(actor), audience: oracle.did, capability, proofs, ...clock }),
  };
}

/** Result of a handshake over either protocol. */
function knock(door: string, auth: object): Promise<string> {
  const { received } =
    door === 'Socket.IO' ? socketIoClient(service.base, sessionId, auth) : plainClient(service.base, sessionId, auth);
  const reply = () =>
    received.find(({ event }) => /^connect/.test(event))?.event ?? Promise.reject(new Error('silence'));
  return vi.waitFor(reply, 4_000);
}

describe.each(['Socket.IO', '/ws'])('a delegate with oracle/converse over %s', (door) => {
  it('joins the user’s session', async () => {
    expect(await knock(door, await actingBy('b', await grantTo('b')))).toBe('connected');
  });

  it('is refused without a delegation, or with an expired or foreign one or one for another ability', async () => {
    const ended = await grantTo('b', { lifetimeSeconds: 60 });
    clock.aheadMs = 61_000;
    const refused = {
      none: await actingBy('b'),
      another: await actingBy('b', await grantTo('b', { can: 'oracle/approve' })),
      'of another': await actingBy('b', await grantTo('c')),
      ended: await actingBy('b', ended),
    };
    for (const [name, auth] of Object.entries(refused)) {
      expect([name, await knock(door, auth)]).toEqual([name, 'connect_error']);
    }
  });
});

describe('a socket of a delegate', () => {
  async function connect(actor = 'b') {
    const grant = await grantTo(actor);
    const client = plainClient(service.base, sessionId, await actingBy(actor, grant));
    await client.next('connected');
    return { client, grant };
  }

  it('is closed at once if the user revokes the delegation', async () => {
    const { client, grant } = await connect();
    const headers = { authorization: `Bearer ${asha.invocation}`, 'x-auth-type': 'ucan' };
    const payload = { token: await takeBackBy('a', grant) };
    await service.app.inject({ method: 'POST', url: '/revocations', headers, payload });
    expect(await client.closed).toEqual({ code: 4401, reason: 'revoked' });
    expect(await knock('/ws', await actingBy('b', grant))).toBe('connect_error');
  });

  it('is closed a minute after its delegation has expired', async () => {
    const grant = await grantTo('b', { lifetimeSeconds: 120 });
    const client = plainClient(service.base, sessionId, await actingBy('b', grant));
    await client.next('connected');
    clock.aheadMs = 179_000;
    await service.deps.realtime.sweep();
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    clock.aheadMs = 181_000;
    await service.deps.realtime.sweep();
    expect(await client.closed).toEqual({ code: 4401, reason: 'expired' });
  });

  it('is renewed by the same delegate only, not by the user or another delegate', async () => {
    const { client, grant } = await connect();
    client.send('auth', asha);
    await vi.waitFor(() => expect(client.received.filter(({ event }) => event === 'auth_error')).toHaveLength(1));
    client.send('auth', await actingBy('c', await grantTo('c')));
    await vi.waitFor(() => expect(client.received.filter(({ event }) => event === 'auth_error')).toHaveLength(2));
    client.send('auth', await actingBy('b', grant));
    await client.next('authenticated');
  });

  it('cannot decide on approvals', async () => {
    const settle = vi.spyOn(service.deps.approvals, 'settle');
    const { client } = await connect();
    client.send('approval_result', { runId: 'r', toolCallId: 'c', decision: 'allow' });
    const reply = { runId: 'r', toolCallId: 'c', ok: false, status: 'forbidden', sessionId };
    expect(await client.next('approval_result')).toEqual(reply);
    expect(settle).not.toHaveBeenCalled();
    settle.mockRestore();
  });

  it('gets calls of its own message’s tools, and none of the user’s tools', async () => {
    const { client } = await connect();
    const place = { ownerDid: didOf('a'), sessionId };
    const call = (id: string) =>
      service.deps.realtime.calls.call(
        { ...place, runId: id, requestId: id } as never,
        browserCall(id),
        AbortSignal.timeout(3_000),
      );
    service.deps.realtime.calls.declareTools(place, []);
    expect(await call('of-asha')).toMatchObject({ ok: false });
    const own = plainClient(service.base, sessionId, asha);
    await own.next('connected');
    service.deps.realtime.calls.declareTools({ ...place, actor: didOf('b') }, []);
    const answer = call('of-baraka');
    expect(await client.next('browser_tool_call')).toMatchObject({ toolCallId: 'of-baraka' });
    client.send('tool_result', { toolCallId: 'of-baraka', result: 'read' });
    expect(await answer).toMatchObject({ ok: true });
    expect(own.received.map(({ event }) => event)).not.toContain('browser_tool_call');
  });

  it('resumes as the same delegate', async () => {
    const auth = await actingBy('b', await grantTo('b'));
    const client = socketIoClient(service.base, sessionId, auth, { reconnection: true });
    await client.next('connected');
    client.socket.io.engine.close();
    await vi.waitFor(() => expect(client.socket.recovered).toBe(true), 4_000);
    client.socket.emit('approval_result', { runId: 'r', toolCallId: 'c', decision: 'allow' });
    expect(await client.next('approval_result')).toMatchObject({ status: 'forbidden' });
  });

  it('does not count against the user’s sockets', async () => {
    const take = vi.spyOn(service.deps.realtime.connectionLimit, 'tryAcquire');
    await connect();
    expect(take.mock.calls).toEqual([[{ user: didOf('b'), address: expect.any(String) }]]);
    take.mockRestore();
  });
});
