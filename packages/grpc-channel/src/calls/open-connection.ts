import { connect as connectTcp, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { Connection } from '../http2/connection.js';
import type { KeepaliveTimes } from '../http2/keepalive.js';
import type { NodeTls } from '../node-options.js';

export interface OpenOptions {
  /** Opens a socket that calls `onOpen` when it is ready for HTTP/2. */
  readonly connect: (onOpen: () => void) => Duplex;
  /** Time to establish a connection, from the first byte to the settings of the node. */
  readonly connectTimeoutMs: number;
  readonly keepalive: () => KeepaliveTimes;
}

/** Events of a connection. `arrived` or `failed` occurs once; the others may occur before and after. */
export interface OpenEvents {
  /** HTTP/2 has begun; the settings of the node are pending. */
  readonly began: (connection: Connection) => void;
  readonly arrived: (connection: Connection, socket: Duplex) => void;
  readonly failed: (error: Error) => void;
  readonly room: () => void;
  readonly draining: (connection: Connection, code: number) => void;
  readonly closed: (connection: Connection) => void;
}

/** Opens one connection to a node, within the connection timeout. */
export function openConnection(options: OpenOptions, events: OpenEvents): void {
  const { connectTimeoutMs } = options;
  let isSettled = false;
  let socket: Duplex | undefined;
  const settle = (report: () => void): void => {
    if (isSettled) return;
    isSettled = true;
    clearTimeout(timer);
    report();
  };
  const fail = (error: Error): void =>
    settle(() => {
      socket?.destroy();
      events.failed(error);
    });
  const giveUp = (): void => fail(new Error(`no connection within ${connectTimeoutMs} ms`));
  // Data received while the process was stopped is read first.
  const timer = setTimeout(() => setImmediate(giveUp), connectTimeoutMs);
  const open = (opened: Duplex): void => {
    const connection: Connection = new Connection(opened, {
      keepalive: options.keepalive,
      onReady: () => settle(() => events.arrived(connection, opened)),
      onRoom: events.room,
      onDraining: (code) => events.draining(connection, code),
      onClosed: (reason) => {
        events.closed(connection);
        fail(reason);
      },
    });
    events.began(connection);
  };
  try {
    const connecting = options.connect(() => {
      if (!isSettled) open(connecting);
    });
    socket = connecting;
  } catch (error) {
    // An invalid address throws synchronously, before the caller has its error handlers.
    setImmediate(fail, error instanceof Error ? error : new Error(String(error)));
    return;
  }
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection was closed before HTTP/2 began')));
}

const PROTOCOL = 'h2';

/** The size of one read of Node.js. */
const READ_BYTES = 64 * 1024;

/**
 * Opens a connection to `host:port`. `onOpen` is called when HTTP/2 is ready, over TLS if configured. Without TLS, data is read
 * into one reused buffer: its bytes are valid during the `data` event only.
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
