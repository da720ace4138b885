import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { create, toBinary } from '@bufbuild/protobuf';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { createMetrics, type Metrics } from '@mlango/service-kit/metrics';
import { everythingRegistry, messageOf } from '@mlango/test-services/descriptors';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { replyBytesOf, type TestAppOptions, testApp } from '../../test/support/test-app.js';
import type { ChainNode } from '../nodes/chain-node.js';

const registry = everythingRegistry();
const everything = messageOf(registry, 'everything.v1.Everything');
/** More than the buffers of a connection hold on any machine. */
const MANY = 24 * 1024 * 1024;
const MIB = 1024 * 1024;
const patient = { timeout: 20_000, interval: 20 };

const sockets: Socket[] = [];
let app: HttpApp | undefined;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app?.close();
});

/** A node that replies after a delay, with a text of the given size in bytes. */
function nodeOf(bytes: number, afterMs = 0): ChainNode {
  const message = toBinary(everything, create(everything, { stringValue: 'x'.repeat(bytes) }));
  return {
    async call() {
      if (afterMs > 0) await sleep(afterMs);
      return { message, headers: [], trailers: [] };
    },
    stream() {
      throw new Error('unexpected call');
    },
    close() {},
  };
}

async function open(
  node: ChainNode,
  { bytes = 512 * MIB, ...rules }: { stalledMs?: number; perAddress?: number; bytes?: number },
  options: TestAppOptions = {},
) {
  const metrics = createMetrics({ service: 'test', version: '0.0.0' });
  const allowed = { stalledMs: 300, perAddress: 100, ...rules };
  app = await testApp(node, { registry, metrics, connections: allowed, replyBytes: replyBytesOf(bytes), ...options });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return {
    metrics,
    /** A connection that reads nothing until the test starts it. */
    dial: async () => {
      const socket = connect({ port, host: '127.0.0.1' }).pause();
      socket.on('error', () => {});
      sockets.push(socket);
      await once(socket, 'connect');
      return socket;
    },
  };
}

const send = (socket: Socket, path = '/everything/v1') => socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
const metricOf = async (metrics: Metrics, name: string) =>
  Number(new RegExp(`^${name}(?:\\{.*\\})? (.*)$`, 'm').exec(await metrics.registry.metrics())?.[1] ?? Number.NaN);

/** The bytes received until the connection ends or the limit is reached. */
async function readAll(socket: Socket, bytes: number): Promise<number> {
  let got = 0;
  for await (const chunk of socket) {
    got += (chunk as Buffer).length;
    if (got >= bytes) break;
  }
  return got;
}

describe('a reader', () => {
  it('that reads nothing of a reply is cut', async () => {
    const { dial, metrics } = await open(nodeOf(MANY), {});
    send(await dial());
    await vi.waitFor(
      async () => expect(await metricOf(metrics, 'proto_gateway_stalled_readers_total')).toBe(1),
      patient,
    );
    await vi.waitFor(
      async () => expect(await metricOf(metrics, 'proto_gateway_reply_bytes_in_flight')).toBe(0),
      patient,
    );
  });

  it('that leaves gives back the bytes of a reply that waited behind another one', async () => {
    const whole = nodeOf(MIB);
    let calls = 0;
    const call: ChainNode['call'] = async (...args) => {
      calls += 1;
      if (calls === 1) await sleep(2_000);
      return whole.call(...args);
    };
    const { dial, metrics } = await open({ ...whole, call }, { stalledMs: 10_000 });
    const inFlight = () => metricOf(metrics, 'proto_gateway_reply_bytes_in_flight');
    const socket = await dial();
    send(socket, '/everything/v1/a');
    send(socket, '/everything/v1/b');
    await vi.waitFor(async () => expect(await inFlight()).toBeGreaterThan(MIB), patient);
    socket.destroy();
    await vi.waitFor(async () => expect(await inFlight()).toBe(0), patient);
  });

  it('that leaves before a batch is answered keeps none of its bytes', async () => {
    const whole = nodeOf(MIB);
    let [calls, hasEnded] = [0, false];
    const call: ChainNode['call'] = async (...args) => {
      calls += 1;
      if (calls === 1) return whole.call(...args);
      await sleep(300);
      hasEnded = true;
      throw new Error('the node failed');
    };
    const { dial, metrics } = await open({ ...whole, call }, {});
    const body = JSON.stringify({ paths: ['/everything/v1/a', '/everything/v1/b'] });
    const socket = await dial();
    socket.write(
      `POST /proto/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await vi.waitFor(() => expect(calls).toBe(2), patient);
    socket.destroy();
    await vi.waitFor(() => expect(hasEnded).toBe(true), patient);
    await sleep(100);
    expect(await metricOf(metrics, 'proto_gateway_reply_bytes_in_flight')).toBe(0);
  });

  it('that is slow gets the whole reply', async () => {
    // Long enough for a busy machine, on which this process may not run for a while.
    const { dial, metrics } = await open(nodeOf(MANY), { stalledMs: 1500 });
    const socket = await dial();
    send(socket);
    let got = 0;
    socket.on('data', (chunk: Buffer) => {
      got += chunk.length;
      // It pauses after each megabyte, and takes longer in total than a reader may stall.
      if (Math.floor(got / 2 ** 20) === Math.floor((got - chunk.length) / 2 ** 20)) return;
      socket.pause();
      setTimeout(() => socket.resume(), 80);
    });
    socket.resume();
    await vi.waitFor(() => expect(got).toBeGreaterThanOrEqual(MANY), patient);
    expect(await metricOf(metrics, 'proto_gateway_stalled_readers_total')).toBe(0);
  });

  it('that waits for a node longer than that is not cut', async () => {
    const { dial } = await open(nodeOf(10, 800), {});
    const socket = await dial();
    send(socket);
    expect(await readAll(socket, 100)).toBeGreaterThan(100);
  });
});

describe('the connections of one address', () => {
  it('are limited, and a closed one makes room', async () => {
    const { dial, metrics } = await open(nodeOf(10), { perAddress: 2 });
    const [first, second] = [await dial(), await dial()];
    const third = (await dial()).resume();
    await once(third, 'close');
    expect(await metricOf(metrics, 'proto_gateway_sockets_refused_total')).toBe(1);
    first.destroy();
    await vi.waitFor(async () => {
      const next = await dial();
      send(next);
      expect(await readAll(next, 100)).toBeGreaterThan(100);
    }, patient);
    send(second);
    expect(await readAll(second, 100)).toBeGreaterThan(100);
  });

  it('are unlimited for a trusted proxy', async () => {
    const { dial } = await open(nodeOf(10), { perAddress: 1 }, { trustProxy: ['127.0.0.0/8'] });
    for (const socket of [await dial(), await dial(), await dial()]) {
      send(socket);
      expect(await readAll(socket, 100)).toBeGreaterThan(100);
    }
  });
});

describe('replies that wait for their readers', () => {
  it('share one budget of bytes: a reply beyond it is 429, until others are read', async () => {
    const { dial, metrics } = await open(nodeOf(MANY), { stalledMs: 60_000, bytes: MANY + 1024 });
    const slow = await dial();
    send(slow);
    await vi.waitFor(
      async () => expect(await metricOf(metrics, 'proto_gateway_reply_bytes_in_flight')).toBeGreaterThan(MANY),
      patient,
    );
    const refused = await app?.inject('/everything/v1');
    expect([refused?.statusCode, refused?.headers['retry-after'], refused?.json()]).toEqual([
      429,
      '1',
      { code: 8, message: 'Too many replies wait at the moment. Try again shortly.', details: [] },
    ]);
    expect(await readAll(slow, MANY)).toBeGreaterThanOrEqual(MANY);
    await vi.waitFor(async () => expect((await app?.inject('/everything/v1'))?.statusCode).toBe(200), patient);
  });
});
