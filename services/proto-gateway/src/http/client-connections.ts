import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressKey, type HttpApp } from '@mlango/service-kit/http-app';
import type { Metrics } from '@mlango/service-kit/metrics';
import { addressRanges } from '@mlango/service-kit/proxies';

export interface ConnectionRules {
  /** Maximum time without progress of a reader with pending bytes, in ms. */
  readonly stalledMs: number;
  /** Connections of one address at the same time; trusted proxies may have any number. */
  readonly perAddress: number;
}

/** Closes connections of stalled readers, and those above the limit of one address. */
export function limitConnections(
  app: HttpApp,
  rules: ConnectionRules,
  proxies: readonly string[] | false,
  metrics: Metrics,
): void {
  limitPerAddress(app, rules.perAddress, proxies, metrics);
  closeStalled(app, rules.stalledMs, metrics);
}

function limitPerAddress(app: HttpApp, limit: number, proxies: readonly string[] | false, metrics: Metrics): void {
  const refused = metrics.counter({
    name: 'proto_gateway_sockets_refused_total',
    help: 'Connections refused by the limit of their address.',
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
 * A socket's timer restarts with each acknowledged byte, so a slow reader is not a stalled one. A stall is detected within
 * twice the time. A reply that waits for the node does not stall.
 */
function closeStalled(app: HttpApp, stalledMs: number, metrics: Metrics): void {
  const cut = metrics.counter({
    name: 'proto_gateway_stalled_readers_total',
    help: 'Connections closed because the reader stalled.',
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

/** Headers that request an upgrade. Source: RFC 9110, 7.8; RFC 7540, 3.2.1. */
const UPGRADE_HEADERS = /^(?:connection|upgrade|http2-settings)$/i;

/**
 * Serves a request with an unsupported upgrade as a plain request, with its body, as HTTP requires. HTTP/2 clients send such
 * requests first. Node emits `upgrade` for all of them once there is a listener, so the request is fed back without its upgrade
 * headers.
 */
export function serveAsRequest(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  let lines = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    if (!UPGRADE_HEADERS.test(name)) lines += `${name}: ${value}\r\n`;
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines}\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
