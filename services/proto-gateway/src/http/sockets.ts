import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressKey, type HttpApp } from '@mlango/service-kit/http-app';
import type { Metrics } from '@mlango/service-kit/metrics';
import { addressRanges } from '@mlango/service-kit/proxies';

export interface SocketRules {
  /** How long a reader may take nothing of what is waiting for it, in ms. */
  readonly stalledMs: number;
  /** Connections of one address at the same time; trusted proxies may have any number. */
  readonly perAddress: number;
}

/** Ends connections whose readers do not read, and those beyond what one address may have. */
export function guardSockets(
  app: HttpApp,
  rules: SocketRules,
  proxies: readonly string[] | false,
  metrics: Metrics,
): void {
  capPerAddress(app, rules.perAddress, proxies, metrics);
  cutStalled(app, rules.stalledMs, metrics);
}

function capPerAddress(app: HttpApp, limit: number, proxies: readonly string[] | false, metrics: Metrics): void {
  const refused = metrics.counter({
    name: 'proto_gateway_sockets_refused_total',
    help: 'Connections that were ended at once, because their address had as many as it may have.',
  });
  const isProxy = addressRanges(proxies === false ? [] : proxies);
  const open = new Map<string, number>();
  app.server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const address = addressKey(remoteAddress);
    const before = open.get(address) ?? 0;
    if (before >= limit) {
      refused.inc();
      socket.destroy();
      return;
    }
    open.set(address, before + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}

/**
 * The timer of a socket starts again with every byte that arrives at the other side, so that a reader that is slow and one
 * that does not read at all are told apart, at the latest after twice the time. A reply that waits for the node stalls nothing.
 */
function cutStalled(app: HttpApp, stalledMs: number, metrics: Metrics): void {
  const cut = metrics.counter({
    name: 'proto_gateway_stalled_readers_total',
    help: 'Connections that were ended because nothing of a reply was taken for too long.',
  });
  const onTimeout = (socket: Socket): void => {
    if (socket.writableLength === 0) socket.setTimeout(stalledMs);
    else {
      cut.inc();
      socket.destroy();
    }
  };
  app.server.setTimeout(stalledMs);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.raw.on('timeout', onTimeout);
    done();
  });
}

/** What a client says of the protocol it would rather speak. Source: RFC 9110, 7.8; RFC 7540, 3.2.1. */
const OF_THE_UPGRADE = /^(?:connection|upgrade|http2-settings)$/i;

/**
 * Serves a request whose upgrade is not taken as the request it is, body included: that is what a server does which does not
 * know the other protocol. Clients of HTTP/2 ask so at first. Node takes every request that names a protocol out of
 * its hands, as soon as somebody listens to upgrades, so that it is handed back without that line.
 */
export function serveAsRequest(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  let lines = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    if (!OF_THE_UPGRADE.test(name)) lines += `${name}: ${value}\r\n`;
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines}\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
