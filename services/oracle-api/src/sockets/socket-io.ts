import type { IncomingMessage, ServerResponse } from 'node:http';
import { socketLimits } from '@mlango/schemas/oracle-realtime';
import { addressKey, endWithError, type HttpApp, hasOneHost, twoHosts } from '@mlango/service-kit/http-app';
import { callerAddress } from '@mlango/service-kit/proxies';
import type { Allowance } from '@mlango/service-kit/rate-limit';
import { Server, type Socket } from 'socket.io';
import { Adapter, type Session } from 'socket.io-adapter';
import { corsOptions, isAllowedOrigin } from '../cors.js';
import type { CloseReason, Member, MemberIdentity } from './member.js';
import { type Realtime, type SocketDeps, socketIoPath } from './realtime.js';

/** Temporary refusals: the connection is dropped without a message, so that the client retries. */
const temporary = new Set(['unavailable', 'too_many']);
/** Disconnects after which no recovery is offered. */
const deliberate = new Set(['client namespace disconnect', 'server namespace disconnect']);

/** Serves Socket.IO 4 on the app's port. Returns a function that closes all connections. */
export function openSocketIo(app: HttpApp, deps: SocketDeps): () => void {
  const { realtime, corsOrigins, sockets, pools } = deps;
  const addressOf = callerAddress(deps.trustProxy);
  const io = new Server(app.server, {
    path: socketIoPath,
    serveClient: false,
    // Other upgrades belong to the plain WebSocket endpoint.
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
  // These requests bypass the app's own check of the Host header.
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
  const attempted = new WeakSet<Socket['conn']>();

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

  /** Undefined for an admitted socket, else the error to send, or `dropped`. */
  async function letIn(socket: Socket): Promise<Error | 'dropped' | undefined> {
    const { conn, handshake } = socket;
    // One attempt per connection, so that each attempt is counted.
    if (attempted.has(conn)) return drop(socket);
    attempted.add(conn);
    const { pid } = handshake.auth;
    const { sessionId } = handshake.query;
    const recovery = typeof pid === 'string' ? pid : undefined;
    const address = addressKey(addressOf(conn.remoteAddress, handshake.headers));
    const tokens = { auth: handshake.auth };
    const admission = await realtime.admit({ sessionId, tokens, address, recovery, id: socket.id });
    if (!admission.ok) {
      if (temporary.has(admission.code)) return drop(socket);
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
        ? storeTicket(realtime, secret, member, (err) => app.log.warn({ err }, 'recovery ticket not saved'))
        : undefined;
    socket.onAny((event: string, data: unknown) => receive(event, data));
    // Clients can send an event `error`, which would end the process without a listener.
    socket.on('error', () => undefined);
    socket.on('disconnect', (reason) => {
      leave();
      if (deliberate.has(reason)) ticket?.end();
      else ticket?.disconnected();
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
  // The buffer was written out.
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

/** Clients reconnect after `conn.close`, but not after `disconnect`. */
function closeSocket(socket: Socket, reason: CloseReason): void {
  if (reason === 'shutdown') socket.conn.close();
  else if (reason === 'stalled' || reason === 'replaced') socket.conn.close(true);
  else socket.disconnect(true);
}

/**
 * Replaces Socket.IO's recovery by the hub's, which is bounded and shared by all replicas. A connection is recovered only if all
 * missed frames are still stored. The middleware authorises it; missed frames follow the join.
 */
function recoveryAdapter(realtime: Realtime): typeof Adapter {
  return class RecoveryAdapter extends Adapter {
    /** The hub stores a ticket for each open connection. */
    override persistSession(): void {}

    // The base class types the result as always present, and returns none itself.
    override async restoreSession(secret: string, offset: string): Promise<Session> {
      const ticket = await realtime.tickets.find(secret);
      const place = ticket && { ownerDid: ticket.did, sessionId: ticket.sessionId };
      const isAllThere = place !== undefined && realtime.hub.missed(place, ticket?.id ?? '', offset) !== undefined;
      if (ticket === undefined || !isAllThere) throw new Error('this connection cannot be recovered');
      return { sid: ticket.id, pid: secret, rooms: [], data: {}, missedPackets: [] };
    }
  };
}

/** Engine.IO middleware that counts new connections by address. Requests with a `sid` belong to a counted connection. */
function countHandshakes(requests: Allowance, addressOf: (request: IncomingMessage) => string) {
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

function refuse(reply: ServerResponse, retryAfterSeconds: number): void {
  reply.writeHead(429, { 'retry-after': String(retryAfterSeconds), 'content-type': 'application/json' });
  // Engine.IO's error format; 4 means forbidden.
  reply.end(JSON.stringify({ code: 4, message: 'Too many requests' }));
}

export interface StoredTicket {
  /** The connection was lost: the client may resume for a limited time. */
  disconnected(): void;
  /** The connection has ended on purpose. */
  end(): void;
}

/** Renews the recovery ticket of an open socket, so that it outlives the connection for a limited time. */
function storeTicket(
  realtime: Realtime,
  secret: string,
  member: Member,
  onFailure: (err: unknown) => void,
): StoredTicket {
  const { id, did, actor, sessionId, joinedAtMs } = member;
  const save = () => {
    const { credentials, right } = member;
    const ticket = { id, did, actor, sessionId, credentials: [...credentials], joinedAtMs, right };
    realtime.tickets.save(secret, ticket, realtime.recoveryMs).catch(onFailure);
  };
  const timer = setInterval(save, realtime.recoveryMs / 4);
  timer.unref();
  save();
  return {
    disconnected: () => {
      clearInterval(timer);
      save();
    },
    end: () => {
      clearInterval(timer);
      realtime.tickets.drop(secret).catch(onFailure);
    },
  };
}
