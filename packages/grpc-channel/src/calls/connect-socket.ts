import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { NodeTls } from '../node-options.js';

const PROTOCOL = 'h2';

/** Opens a connection to `host:port`. `onOpen` is called when HTTP/2 can be spoken, over TLS if that is asked for. */
export function connectSocket(target: string, tls: NodeTls | undefined, onOpen: () => void): Socket {
  const { host, port } = splitTarget(target);
  if (tls === undefined) {
    const socket = connectTcp({ host, port, noDelay: true });
    socket.once('connect', onOpen);
    return socket;
  }
  const socket = connectTls({
    host,
    port,
    minVersion: 'TLSv1.2',
    ALPNProtocols: [PROTOCOL],
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...tls.identity,
  });
  socket.setNoDelay(true);
  socket.once('secureConnect', () => {
    if (socket.alpnProtocol === PROTOCOL) onOpen();
    else socket.destroy(new Error('no application protocol'));
  });
  return socket;
}

export function splitTarget(target: string): { host: string; port: number } {
  const colon = target.lastIndexOf(':');
  return { host: target.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(target.slice(colon + 1)) };
}
