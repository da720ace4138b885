import { connect } from 'node:net';
import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { memoryRevocationStore } from '@mlango/ucan-auth/memory-revocation-store';
import { mintDelegation, mintInvocation, mintRevocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { describe, expect, it } from 'vitest';
import { ucanGate } from '../../src/access/ucan-gate.js';
import { answerAt, openWatched, PARAMS } from '../support/watched-gateway.js';
import { openSocket, socketEvent } from '../support/watching-socket.js';

const open = openWatched();
const owner = signerFromSeed('01'.repeat(32));
const client = signerFromSeed('02'.repeat(32));
const QUERY = { can: 'proto/query', with: owner.did } as const;
const address = '192.0.2.1';

/** A gateway with tokens of one minute, by a clock of the test, and a client that watches by stream and socket. */
async function openGranted() {
  let nowMs = Date.now();
  const revocations = memoryRevocationStore();
  const now = () => Math.floor(nowMs / 1000);
  const auth = createUcanAuth({ audiences: [owner.did], resources: [owner.did], revocations, now });
  const gate = ucanGate({ auth, resource: owner.did, singleUse: false, nowMs: () => nowMs });
  const gateway = await open({ access: { kind: 'ucan', gate } });
  const grant = await mintDelegation({ signer: owner, audience: client.did, capabilities: [QUERY], proofs: [] });
  const invocation = { signer: client, audience: owner.did, capability: QUERY, proofs: [grant], expiresAt: now() + 60 };
  const headers = { authorization: `Bearer ${await mintInvocation(invocation)}`, 'x-auth-type': 'ucan' };
  const events = await gateway.watch(`${PARAMS}?watch=1`, headers);
  const socket = await openSocket(gateway, headers);
  socket.sendMessage({ op: 'subscribe', id: 'a', path: PARAMS });
  expect([await events.next(), await socket.next()]).toEqual([answerAt(100, 1), { id: 'a', event: 'subscribed' }]);
  await socket.next();
  return {
    chain: gateway.chain,
    events,
    socket,
    grant,
    auth,
    passMs: (ms: number) => {
      nowMs += ms;
    },
    /** Both get the next block. */
    hearBoth: async (code: number) => {
      gateway.chain.newBlock(code);
      const height = gateway.chain.height();
      expect(await events.next()).toEqual(answerAt(height, code));
      expect(await socket.next()).toMatchObject({ id: 'a', event: 'answer', height: String(height) });
    },
    /** Both streams get the end event, and then are closed. */
    endBoth: async () => {
      const data = { state: 'access-ended' };
      const closed = socketEvent(socket.socket, 'close');
      const id = String(gateway.chain.height());
      expect([await events.next(), await events.next()]).toEqual([{ id, event: 'status', data }, undefined]);
      expect(await socket.next()).toEqual({ event: 'status', data });
      expect(await closed).toMatchObject({ code: 1008 });
      await expect.poll(() => gateway.metric('proto_gateway_watches{')).toBe('0');
    },
  };
}

describe('the watches of a token', () => {
  it('end when it expires, and not before', async () => {
    const { passMs, hearBoth, endBoth } = await openGranted();
    passMs(58_000);
    await hearBoth(2);
    passMs(3000);
    await endBoth();
  });

  it('end when their token is revoked by its issuer, and by no other', async () => {
    const { auth, grant, hearBoth, endBoth } = await openGranted();
    const takeBack = async (signer: typeof owner) =>
      auth.revoke(await mintRevocation({ signer, audience: owner.did, token: grant }), { address });
    await takeBack(signerFromSeed('03'.repeat(32)));
    await hearBoth(2);
    expect(await takeBack(owner)).toMatchObject({ ok: true });
    await endBoth();
  });
});

it('a socket that reads nothing is cut after 30 s, and not before', async () => {
  let nowMs = 0;
  const gateway = await open({ now: () => nowMs, connections: { stalledMs: 30_000, perAddress: 10 } });
  const { port } = gateway.app.server.address() as { port: number };
  const stalled = connect(port, '127.0.0.1').pause();
  const upgrade =
    'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
  stalled.write(`GET /proto/watch HTTP/1.1\r\nhost: h\r\n${upgrade}\r\n`);
  // Half a megabyte in each event: the first ones fill the buffers of the connection.
  gateway.chain.widen(500_000);
  const subscribe = Buffer.from(JSON.stringify({ op: 'subscribe', id: 's', path: '/proto/entity/e' }));
  // A frame of text, masked with zeroes.
  stalled.write(Buffer.concat([Buffer.of(0x81, 0x80 | subscribe.length, 0, 0, 0, 0), subscribe]));
  await expect.poll(() => gateway.chain.requested.length).toBe(1);
  for (let code = 2; code < 42; code += 1) {
    gateway.chain.newBlock(code);
    await expect.poll(() => gateway.chain.requested.length).toBe(code);
  }
  expect(await gateway.metric('proto_gateway_reply_bytes_in_flight')).not.toBe('0');
  // A socket that reads is served after the stalled one, once a second.
  const reads = await openSocket(gateway);
  const heartbeat = async () => expect(await reads.next()).toEqual({ event: 'heartbeat' });
  nowMs = 29_000;
  await heartbeat();
  expect(await gateway.metric('proto_gateway_watches{')).toBe('1');
  nowMs = 31_000;
  await expect.poll(() => gateway.metric('proto_gateway_watches{'), { timeout: 5000 }).toBe('0');
  expect(await gateway.metric('proto_gateway_reply_bytes_in_flight')).toBe('0');
  expect(reads.socket.readyState).toBe(reads.socket.OPEN);
  stalled.destroy();
});
