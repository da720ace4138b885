import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

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
