import { once } from 'node:events';
import { createServer as createHttp1 } from 'node:http';
import { createServer as createHttp2 } from 'node:http2';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BOTH_CHANNELS } from '../../test/both-channels.js';
import { patient } from '../../test/meet-peer.js';
import type { Outage } from '../connect-problem.js';
import { createChannel } from '../create-channel.js';
import { NodeOutage } from './watch-node.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close();
});

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => void sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A node of each kind that operators name by mistake. */
const SERVERS = {
  http1: () => createHttp1((_, reply) => reply.end('no gRPC')),
  tlsAlert: () => createTcp((socket) => void socket.write(Buffer.of(21, 3, 3, 0, 2, 2, 10))),
  plainToHttps: () =>
    createTcp((socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\nplain HTTP request sent to HTTPS port')),
  closes: () => createTcp((socket) => void socket.on('data', () => socket.end())),
  status403: () => createHttp2((_, reply) => void reply.writeHead(403).end('no')),
  closesAfterSettings: () =>
    createHttp2().on('session', (session) =>
      session.once('stream', (stream) => {
        stream.on('error', () => {});
        session.destroy();
      }),
    ),
  hangs: () => createHttp2((_, reply) => void reply.stream.on('error', () => {})),
} as const;

describe.each(BOTH_CHANNELS)('a node that is not ready, over %s,', (channel, open) => {
  /** All that is reported until the problem is the expected one. */
  async function reported(server: Server, problem: Outage['problem']): Promise<(Outage | undefined)[]> {
    const log: (Outage | undefined)[] = [];
    const node = createChannel({
      targets: [await listen(server)],
      open,
      watch: { everyMs: 50, timeoutMs: 40 },
      onOutage: (_, outage) => void log.push(outage),
    });
    closing.push(() => node.close());
    await vi.waitFor(() => expect(log.at(-1)?.problem).toBe(problem), patient);
    return log;
  }

  it.each<[string, keyof typeof SERVERS, Outage['problem'], RegExp]>([
    ['closes the connection', 'closes', 'closed-early', /TLS/],
    ['is a proxy that refuses the gateway', 'status403', 'http-status', /403.*does not let the gateway through/],
    ['does not answer health checks', 'hangs', 'silent', /health checks/],
  ])('is reported with its reason if it %s', async (_, server, problem, reason) => {
    expect((await reported(SERVERS[server](), problem)).at(-1)?.reason).toMatch(reason);
  });

  it.runIf(channel === 'http2').each<[string, keyof typeof SERVERS, Outage['problem'], RegExp]>([
    ['speaks HTTP/1.1', 'http1', 'http1', /26657.*1317/],
    ['answers with an alert of TLS', 'tlsAlert', 'tls', /requires TLS/],
    ['reports that its port is for HTTPS', 'plainToHttps', 'tls', /requires TLS/],
    ['closes after the settings', 'closesAfterSettings', 'closed-after-settings', /before any call is answered/],
  ])('is reported with its reason if it %s', async (_, server, problem, reason) => {
    expect((await reported(SERVERS[server](), problem)).at(-1)?.reason).toMatch(reason);
  });
});

describe('the outage of a node', () => {
  const refused: Outage = { problem: 'refused', reason: 'the connection is refused' };
  const web: Outage = { problem: 'http-status', reason: 'HTTP status 403' };

  it('is reported once for each change', () => {
    const reports: (Outage | undefined)[] = [];
    const trouble = new NodeOutage((outage) => void reports.push(outage));
    trouble.setProbeOutage(undefined);
    trouble.setConnectionOutage(refused);
    trouble.setProbeOutage({ problem: 'other', reason: 'no connection to the node' });
    trouble.setConnectionOutage(refused);
    trouble.setConnectionOutage(undefined);
    trouble.setProbeOutage(web);
    trouble.setProbeOutage(web);
    trouble.setProbeOutage(undefined);
    expect(reports).toEqual([refused, undefined, web, undefined]);
  });
});
