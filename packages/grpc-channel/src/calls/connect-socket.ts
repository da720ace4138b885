import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { NodeTls } from '../node-options.js';

const PROTOCOL = 'h2';

/** As much as Node.js reads in one go. */
const READ_BYTES = 64 * 1024;

/**
 * Opens a connection to `host:port`. `onOpen` is called when HTTP/2 can be spoken, over TLS if that is asked for. What comes without TLS is
 * read into the same room each time: its bytes are only good until `data` was told of them.
 */
export function connectSocket(
  target: string,
  { tls, serverName }: { readonly tls?: NodeTls | undefined; readonly serverName?: string | undefined },
  onOpen: () => void,
): Socket {
  const { host, port } = splitTarget(target);
  if (tls === undefined) {
    const onread = {
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback: (length: number, bytes: Uint8Array): boolean => socket.emit('data', bytes.subarray(0, length)),
    };
    const socket: Socket = connectTcp({ host, port, noDelay: true, onread });
    socket.once('connect', onOpen);
    return socket;
  }
  const name = serverName ?? host;
  const socket = connectTls({
    host,
    port,
    minVersion: 'TLSv1.2',
    ALPNProtocols: [PROTOCOL],
    ...(isIP(name) === 0 ? { servername: name } : {}),
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
