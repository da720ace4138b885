import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { callTo } from '@mlango/test-services/channel-contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type FramePeer, onRequest, sendReply, startFramePeer } from '../../test/frame-peer.js';
import { FRAME } from '../http2/frames.js';
import { encodeHeaders, HeaderBlock } from '../http2/hpack-encoder.js';
import { dnsChange, type LookUp } from './dns-change.js';
import { methodHeaders } from './grpc-headers.js';
import { NodeLink } from './node-link.js';
import { connectSocket } from './open-connection.js';
import { unaryCall } from './start-call.js';

const patient = { timeout: 10_000, interval: 10 };
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe('the name of a node', () => {
  it.each<[string, LookUp, boolean]>([
    ['still resolves to it', async () => ['10.0.0.1', '127.0.0.1'], false],
    ['resolves to it in the other form', async () => ['::ffff:127.0.0.1'], false],
    ['resolves to other addresses', async () => ['10.0.0.1', '::1'], true],
    ['resolves to no address', async () => [], false],
    ['cannot be looked up', () => Promise.reject(new Error('EAI_AGAIN')), false],
  ])('%s', async (_, lookUp, hasDnsChanged) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    closing.push(
      () => void server.close(),
      () => void socket.destroy(),
    );
    await once(socket, 'connect');
    expect(await dnsChange('node.example:9090', lookUp)?.(socket)).toBe(hasDnsChanged);
  });

  it('has no changes if it is an address', () => {
    for (const target of ['127.0.0.1:9090', '[::1]:9090']) expect(dnsChange(target)).toBeUndefined();
  });
});

/** A link to the address that the test sets, under constant requests. */
function linkTo(where: { target: string; hasDnsChanged: boolean }): {
  query: () => Promise<number | undefined>;
  changes: boolean[];
} {
  const changes: boolean[] = [];
  const link = new NodeLink({
    connect: (onOpen) => connectSocket(where.target, {}, onOpen),
    connectTimeoutMs: 2000,
    keepalive: { afterMs: 30_000, timeoutMs: 15_000 },
    maxConnections: 8,
    idleMs: 30_000,
    backoff: { firstMs: 10, lastMs: 20 },
    hasDnsChanged: async () => where.hasDnsChanged,
    dnsIntervalMs: 10,
    now: () => performance.now(),
    random: Math.random,
    onOutage: (outage) => void changes.push(outage !== undefined),
  });
  closing.push(() => link.close());
  const [path, request] = callTo('Echo');
  const timeoutMs = 10_000;
  const method = encodeHeaders(methodHeaders(path, where.target, false));
  const call = { link, limitBytes: 1000, method, metadata: [], headers: new HeaderBlock(), request, timeoutMs };
  return {
    changes,
    query: async () => (await unaryCall(call)).message[0],
  };
}

async function peerReplying(
  byte: number,
  hold: (answer: () => void) => void = (answer) => answer(),
): Promise<FramePeer> {
  const peer = await startFramePeer(onRequest((to, id) => hold(() => sendReply(to, id, [byte]))));
  closing.push(() => peer.close());
  return peer;
}

describe('a node that moved', () => {
  it('is followed, and running calls complete on the old connection', async () => {
    const held: (() => void)[] = [];
    const old = await peerReplying(1, (answer) => (held.length === 0 ? void held.push(answer) : answer()));
    const next = await peerReplying(2);
    const where = { target: old.target, hasDnsChanged: false };
    const { query, changes } = linkTo(where);
    const before = query();
    await vi.waitFor(() => expect(held).toHaveLength(1), patient);
    Object.assign(where, { target: next.target, hasDnsChanged: true });
    await vi.waitFor(() => expect(next.connections.length).toBeGreaterThan(0), patient);
    where.hasDnsChanged = false;
    await vi.waitFor(async () => expect(await query()).toBe(2), patient);
    held[0]?.();
    expect(await before).toBe(1);
    await vi.waitFor(() => expect(old.received(FRAME.goaway)).toHaveLength(1), patient);
    expect(changes).toEqual([]);
  });

  it('to an unreachable address keeps the connection', async () => {
    const old = await peerReplying(1);
    const where = { target: old.target, hasDnsChanged: false };
    const { query, changes } = linkTo(where);
    await query();
    const closedServer = createServer().listen(0, '127.0.0.1');
    await once(closedServer, 'listening');
    let tried = 0;
    closedServer.on('connection', (socket) => {
      tried += 1;
      socket.destroy();
    });
    closing.push(() => void closedServer.close());
    Object.assign(where, { target: `127.0.0.1:${(closedServer.address() as AddressInfo).port}`, hasDnsChanged: true });
    await vi.waitFor(() => expect(tried).toBeGreaterThan(2), patient);
    expect([await query(), changes]).toEqual([1, []]);
  });
});
