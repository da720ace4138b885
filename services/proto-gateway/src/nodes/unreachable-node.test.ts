import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { startRawNode } from '@mlango/test-services/raw-node';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { poolOver, testApp } from '../../test/support/test-app.js';
import { OPEN_CHANNEL } from '../deps/open-node.js';
import { callTo, failureOf } from './chain-node.contract.js';
import { type ChainNode, nodeOverChannel } from './chain-node.js';
import { CHANNELS, type ChannelKind } from './targets.js';

const CONNECT_TIMEOUT_MS = 150;
/** Far beyond the connect limit: such a call hangs. */
const DEADLINE_MS = 60_000;
const patient = { timeout: 10_000, interval: 20 };

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Accepts connections and stays silent, like a node behind a firewall that drops packets. */
async function startBlackHole(port = 0) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  closing.push(close);
  return { port: (server.address() as AddressInfo).port, close, connections: () => sockets.size };
}

function connectOver(channel: ChannelKind) {
  return (port: number, connectTimeoutMs = CONNECT_TIMEOUT_MS, written: boolean[] = []): ChainNode => {
    const node = nodeOverChannel(
      OPEN_CHANNEL[channel]({
        target: `127.0.0.1:${port}`,
        maxReceiveBytes: 100_000,
        connectTimeoutMs,
        onOutage: (outage) => void written.push(outage !== undefined),
      }),
    );
    closing.push(() => node.close());
    return node;
  };
}

const echo = () => callTo('Echo', { timeoutMs: DEADLINE_MS });

describe.each(CHANNELS)('a node that cannot be reached over the %s channel', (channel) => {
  const connectTo = connectOver(channel);

  it('fails as unavailable within the connect limit, not at the deadline of the call', async () => {
    const node = connectTo((await startBlackHole()).port);
    const failures = await Promise.all([failureOf(node.call(echo())), failureOf(node.call(echo()))]);
    for (const failure of failures) {
      expect(failure).toMatchObject({ code: GRPC_CODES.unavailable, fromTransport: true });
    }
  });

  it('is not waited for while it is known to be unreachable', async () => {
    // A wait for each call would exceed the time of the test.
    const hole = await startBlackHole();
    const node = connectTo(hole.port, 400);
    await failureOf(node.call(echo()));
    const attempts = hole.connections();
    const settled: unknown[] = [];
    for (let count = 0; count < 60; count += 1) settled.push((await failureOf(node.call(echo()))).code);
    expect(settled).toEqual(Array(60).fill(GRPC_CODES.unavailable));
    // One further attempt for all of them.
    expect(hole.connections()).toBeLessThanOrEqual(attempts + 1);
  });

  it('is reported once, for any number of calls', async () => {
    const written: boolean[] = [];
    const node = connectTo((await startBlackHole()).port, CONNECT_TIMEOUT_MS, written);
    for (let count = 0; count < 5; count += 1) await failureOf(node.call(echo()));
    expect(written).toEqual([true]);
  });

  it('fails at once if the connection is refused', async () => {
    const hole = await startBlackHole();
    await hole.close();
    const node = connectTo(hole.port, DEADLINE_MS);
    expect(await failureOf(node.call(echo()))).toMatchObject({ code: GRPC_CODES.unavailable });
  });

  it('fails a stream in the same way, before its first message', async () => {
    const node = connectTo((await startBlackHole()).port);
    const read = async (): Promise<void> => {
      for await (const message of node.stream(callTo('Count', { timeoutMs: DEADLINE_MS })).messages) {
        throw new Error(`a message of ${message.length} bytes from nowhere`);
      }
    };
    for (let count = 0; count < 2; count += 1) {
      expect(await failureOf(read())).toMatchObject({ code: GRPC_CODES.unavailable });
    }
    const { headers } = node.stream(callTo('Count'));
    expect(await failureOf(headers)).toMatchObject({ code: GRPC_CODES.unavailable });
  });

  it('recovers by itself after it closed, dropped packets for a while, and returned', async () => {
    const server = await startRawNode();
    const written: boolean[] = [];
    const node = connectTo(server.port, CONNECT_TIMEOUT_MS, written);
    // A busy machine may take longer than the connect limit at first.
    await vi.waitFor(async () => expect((await node.call(echo())).message).toHaveLength(3), patient);
    written.length = 0;
    await server.close();
    const hole = await startBlackHole(server.port);
    await vi.waitFor(async () => {
      expect((await failureOf(node.call(echo()))).code).toBe(GRPC_CODES.unavailable);
      expect(hole.connections()).toBeGreaterThan(1);
    }, patient);
    await hole.close();
    const back = await startRawNode(server.port);
    closing.push(() => back.close());
    await vi.waitFor(async () => expect((await node.call(echo())).message).toHaveLength(3), patient);
    // Once for each reason: connection refused, then no answer.
    expect([written[0], written.filter((isUnavailable) => !isUnavailable)]).toEqual([true, [false]]);
  });

  it('leaves its calls to another node, without a wait once it is known', async () => {
    const server = await startRawNode();
    closing.push(() => server.close());
    const hole = `127.0.0.1:${(await startBlackHole()).port}`;
    const limitOf = (target: string) => (target === hole ? CONNECT_TIMEOUT_MS : DEADLINE_MS);
    const pool = poolOver(
      (options) => OPEN_CHANNEL[channel]({ ...options, connectTimeoutMs: limitOf(options.target) }),
      [hole, server.address],
    );
    closing.push(() => pool.close());
    for (let count = 0; count < 4; count += 1) expect((await pool.call(echo())).message).toHaveLength(3);
  });

  it('is 503 for the caller, long before the default deadline', async () => {
    const app = await testApp(connectTo((await startBlackHole()).port), { defaultTimeoutMs: DEADLINE_MS });
    closing.push(() => app.close());
    const reply = await app.inject('/proto/token/params');
    expect([reply.statusCode, reply.json()]).toEqual([
      503,
      { code: 14, message: 'The chain node is not available', details: [] },
    ]);
  });

  it('ends its attempts when it is closed', async () => {
    const hole = await startBlackHole();
    const node = connectTo(hole.port, 40);
    const call = failureOf(node.call(echo()));
    node.close();
    expect((await call).code).toBe(GRPC_CODES.unavailable);
    expect(await failureOf(node.call(echo()))).toMatchObject({ code: GRPC_CODES.unavailable });
  });
});
