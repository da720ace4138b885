import type { IncomingMessage, ServerResponse } from 'node:http';
import { socketLimits } from '@mlango/schemas/oracle-realtime';
import { addressKey, endWithError, type HttpApp, hasOneHost, twoHosts } from '@mlango/service-kit/http-app';
import { callerAddress } from '@mlango/service-kit/proxies';
import type { Allowance } from '@mlango/service-kit/rate-limit';
import { Server, type Socket } from 'socket.io';
import { Adapter, type Session } from 'socket.io-adapter';
import { corsOptions, isAllowedOrigin } from '../http/hooks/cors.js';
import type { CloseReason, Member, MemberIdentity } from './member.js';
import { type Realtime, type SocketDeps, socketIoPath } from './realtime.js';

/** Refusals that pass: the connection is dropped without a word, and the client tries again by itself. */
const passing = new Set(['unavailable', 'too_many']);
/** Why a client that is not let in again did not lose its connection by accident. */
const deliberate = new Set(['client namespace disconnect', 'server namespace disconnect']);

/** Socket.IO 4 on the app's own port. Returns what closes the door behind everybody. */
export function openSocketIo(app: HttpApp, deps: SocketDeps): () => void {
  const { realtime, corsOrigins, sockets, pools } = deps;
  const addressOf = callerAddress(deps.trustProxy);
  const io = new Server(app.server, {
    path: socketIoPath,
    serveClient: false,
    // The plain WebSocket door answers the other upgrades.
    destroyUpgrade: false,
    cors: corsOptions(corsOrigins),
    maxHttpBufferSize: socketLimits.messageBytes,
    pingInterval: sockets.pingIntervalMs,
    pingTimeout: sockets.pingTimeoutMs,
    connectTimeout: sockets.authTimeoutMs,
    connectionStateRecovery: { maxDisconnectionDuration: realtime.recoveryMs, skipMiddlewares: false },
    adapter: recoveryAdapter(realtime),
    allowRequest: (request, done) => {
      done(null, isAllowedOrigin(corsOrigins, request.headers.origin));
    },
  });
  io.engine.on('connection', (connection: Socket['conn']) => {
    const { request, remoteAddress } = connection;
    const permit = pools.connections.tryAcquire({ address: addressKey(addressOf(remoteAddress, request.headers)) });
    if ('full' in permit) connection.close(true);
    else connection.once('close', () => permit.release());
  });
  // Its requests never reach the app, which refuses these itself.
  io.engine.use((request: IncomingMessage, _response: unknown, next: () => void) => {
    if (hasOneHost(request)) next();
    else endWithError(request.socket, twoHosts());
  });
  io.engine.use(
    countHandshakes(deps.addresses.requests, ({ socket, headers }) =>
      addressKey(addressOf(socket.remoteAddress ?? '', headers)),
    ),
  );
  const admitted = new WeakMap<Socket, MemberIdentity>();
  const asked = new WeakSet<Socket['conn']>();

  io.use((socket, next) => {
    letIn(socket).then(
      (refusal) => {
        if (refusal !== 'dropped') next(refusal);
      },
      (err: unknown) => {
        app.log.error({ err }, 'socket failed');
        drop(socket);
      },
    );
  });

  /** Undefined for a socket that may come in; what it is told, or that it was dropped, for any other. */
  async function letIn(socket: Socket): Promise<Error | 'dropped' | undefined> {
    const { conn, handshake } = socket;
    // One attempt for each connection: the next one costs a new connection.
    if (asked.has(conn)) return drop(socket);
    asked.add(conn);
    const { pid } = handshake.auth;
    const { sessionId } = handshake.query;
    const recovery = typeof pid === 'string' ? pid : undefined;
    const address = addressKey(addressOf(conn.remoteAddress, handshake.headers));
    const shown = { auth: handshake.auth };
    const admission = await realtime.admit({ sessionId, tokens: shown, address, recovery, id: socket.id });
    if (!admission.ok) {
      if (passing.has(admission.code)) return drop(socket);
      // After the refusal has been written.
      setImmediate(() => conn.close());
      return Object.assign(new Error(admission.message), { data: { code: admission.code } });
    }
    conn.once('close', () => admission.permit.release());
    if (conn.readyState !== 'open') admission.permit.release();
    if (socket.recovered && !admission.isRecovered) return drop(socket);
    admitted.set(socket, admission.identity);
    return undefined;
  }

  io.on('connection', (socket) => {
    const identity = admitted.get(socket);
    if (identity === undefined) {
      socket.disconnect(true);
      return;
    }
    const { offset } = socket.handshake.auth;
    const member = memberOf(socket, identity, sockets.waitingBytes);
    const { receive, leave } = realtime.join(member, since(socket, offset));
    const secret: unknown = Reflect.get(socket, 'pid');
    const ticket =
      typeof secret === 'string'
        ? storeTicket(realtime, secret, member, (err) => app.log.warn({ err }, 'recovery ticket not kept'))
        : undefined;
    socket.onAny((event: string, data: unknown) => receive(event, data));
    // An event of this name would end the process if nobody listened to it; clients can send one.
    socket.on('error', () => undefined);
    socket.on('disconnect', (reason) => {
      leave();
      if (deliberate.has(reason)) ticket?.end();
      else ticket?.lost();
    });
  });
  return () => io.engine.close();
}

function since(socket: Socket, offset: unknown): string | undefined {
  return socket.recovered && typeof offset === 'string' ? offset : undefined;
}

function drop(socket: Socket): 'dropped' {
  socket.conn.close(true);
  return 'dropped';
}

function memberOf(socket: Socket, identity: MemberIdentity, waitingBytes: number): Member {
  let waiting = 0;
  // What was written is on its way to the client; the next batch waits for that.
  socket.conn.on('drain', () => {
    waiting = 0;
  });
  const member: Member = {
    ...identity,
    send: (frame, offset) => {
      waiting += frame.text.length;
      if (waiting > waitingBytes) member.close('stalled');
      else if (offset === undefined) socket.emit(frame.event, frame.data);
      else socket.emit(frame.event, frame.data, offset);
    },
    close: (reason) => closeSocket(socket, reason),
  };
  return member;
}

/** A client that was cut off by accident or by a restart comes back by itself; one that is told to leave does not. */
function closeSocket(socket: Socket, reason: CloseReason): void {
  if (reason === 'shutdown') socket.conn.close();
  else if (reason === 'stalled' || reason === 'replaced') socket.conn.close(true);
  else socket.disconnect(true);
}

/**
 * Socket.IO's own memory of connections, replaced by the hub's, which is bounded and shared by all replicas. A connection
 * counts as recovered only where all that it missed is still there; who may have it is decided by the middleware, and what
 * was missed is sent after that.
 */
export function recoveryAdapter(realtime: Realtime): typeof Adapter {
  return class RecoveryAdapter extends Adapter {
    /** The hub keeps a ticket for each connection while it is open. */
    override persistSession(): void {}

    // The base class declares a session for every case; none is what it returns itself.
    override async restoreSession(secret: string, offset: string): Promise<Session> {
      const ticket = await realtime.tickets.find(secret);
      const place = ticket && { ownerDid: ticket.did, sessionId: ticket.sessionId };
      const isAllThere = place !== undefined && realtime.hub.missed(place, ticket?.id ?? '', offset) !== undefined;
      if (ticket === undefined || !isAllThere) throw new Error('this connection cannot be recovered');
      return { sid: ticket.id, pid: secret, rooms: [], data: {}, missedPackets: [] };
    }
  };
}

/**
 * For Engine.IO: counts what begins a connection by its address, before anything is kept of it. Later requests of a connection
 * name it (`sid`), and one that does not exist is refused without more ado.
 */
export function countHandshakes(requests: Allowance, addressOf: (request: IncomingMessage) => string) {
  return (request: IncomingMessage, reply: ServerResponse, next: (error?: unknown) => void): void => {
    if (new URL(request.url ?? '', 'http://localhost').searchParams.get('sid')) {
      next();
      return;
    }
    requests.take(addressOf(request)).then((taken) => {
      if (taken.ok) next();
      else refuse(reply, taken.retryAfterSeconds);
    }, next);
  };
}

/** To a WebSocket that is being opened nothing can be said: its connection ends. */
function refuse(reply: ServerResponse, retryAfterSeconds: number): void {
  reply.writeHead(429, { 'retry-after': String(retryAfterSeconds), 'content-type': 'application/json' });
  // In Engine.IO's own form; 4 is its code for what is forbidden.
  reply.end(JSON.stringify({ code: 4, message: 'Too many requests' }));
}

export interface StoredTicket {
  /** The connection was lost: the client may come back for a while. */
  lost(): void;
  /** It is over for good. */
  end(): void;
}

/** Keeps the recovery ticket of an open socket, so that it is good for a bounded time whenever the connection is lost. */
export function storeTicket(
  realtime: Realtime,
  secret: string,
  member: Member,
  onFailure: (err: unknown) => void,
): StoredTicket {
  const { id, did, actor, sessionId, joinedAtMs } = member;
  const keep = () => {
    const { credentials, right } = member;
    const ticket = { id, did, actor, sessionId, credentials: [...credentials], joinedAtMs, right };
    realtime.tickets.save(secret, ticket, realtime.recoveryMs).catch(onFailure);
  };
  const timer = setInterval(keep, realtime.recoveryMs / 4);
  timer.unref();
  keep();
  return {
    lost: () => {
      clearInterval(timer);
      keep();
    },
    end: () => {
      clearInterval(timer);
      realtime.tickets.drop(secret).catch(onFailure);
    },
  };
}
