import { Server as HttpServer } from 'node:http';
import websocket, { type WebSocket } from '@fastify/websocket';
import { socketFrame, socketLimits } from '@mlango/schemas/oracle-realtime';
import { ServiceError } from '@mlango/service-kit/errors';
import { addressKey, type HttpApp, takeOrRefuse } from '@mlango/service-kit/http-app';
import { parseJson } from '@mlango/service-kit/parse-json';
import type { FastifyRequest } from 'fastify';
import { isAllowedOrigin } from '../cors.js';
import { type HandshakeTokens, noSession, noTokens, type RefusalCode } from './admission.js';
import type { CloseReason } from './member.js';
import { type SocketDeps, socketIoPath } from './realtime.js';

/** Time for the client's close frame, in ms. */
const closeTimeoutMs = 1_000;

/** Serves plain WebSockets at `/ws` on the app's port. Returns a function that closes all connections. */
export async function openWebSockets(app: HttpApp, deps: SocketDeps): Promise<() => void> {
  // Never listens; it forwards the upgrades that are not for Socket.IO.
  const upgrades = new HttpServer();
  app.server.on('upgrade', (request, socket, head) => {
    if (request.url?.startsWith(socketIoPath) !== true) upgrades.emit('upgrade', request, socket, head);
  });
  await app.register(websocket, {
    options: { server: upgrades, maxPayload: socketLimits.messageBytes, perMessageDeflate: false },
    // The app's hook closes the sockets after turns have ended.
    preClose: (done) => done(),
    errorHandler: (error, socket, request) => {
      request.log.debug({ err: error }, 'socket failed');
      socket.terminate();
    },
  });
  app.route({
    method: 'GET',
    url: '/ws',
    schema: { hide: true },
    config: { isCountedByRoute: true },
    onRequest: ({ ip }) => takeOrRefuse(deps.addresses.requests, addressKey(ip)),
    handler: async () => {
      throw new ServiceError('not_found', 'Nothing to read here: open /ws as a WebSocket');
    },
    wsHandler: (socket, request) => {
      const sessionId = new URL(request.url, 'ws://localhost').searchParams.get('sessionId') ?? '';
      const permit = deps.pools.connections.tryAcquire({ address: addressKey(request.ip) });
      if ('release' in permit) socket.once('close', () => permit.release());
      if ('full' in permit) refuse(socket, 'too_many', 'Too many connections');
      else if (!isAllowedOrigin(deps.corsOrigins, request.headers.origin)) {
        refuse(socket, 'bad_request', 'Connections from this origin are not allowed');
      } else if (sessionId === '') refuse(socket, noSession.code, noSession.message);
      else authenticate(socket, request, sessionId, deps);
    },
  });
  return () => {
    for (const socket of app.websocketServer.clients) socket.terminate();
  };
}

/** Authenticates by the headers of the upgrade if present, else by the first frame. */
function authenticate(socket: WebSocket, request: FastifyRequest, sessionId: string, deps: SocketDeps): void {
  const { headers } = request;
  keepAlive(socket, deps.sockets);
  const early = earlyMessages(socket);
  const take = (tokens: HandshakeTokens) => {
    letIn(socket, { sessionId, tokens, address: addressKey(request.ip) }, early, deps).catch((err: unknown) => {
      request.log.error({ err }, 'socket failed');
      socket.terminate();
    });
  };
  if (headers['x-auth-type'] !== undefined || headers['x-ucan-delegation'] !== undefined) {
    take({ headers });
    return;
  }
  const timer = setTimeout(() => refuse(socket, noTokens.code, noTokens.message), deps.sockets.authTimeoutMs);
  socket.once('close', () => clearTimeout(timer));
  socket.once('message', () => {
    clearTimeout(timer);
    const [first] = early.splice(0, 1);
    take({ auth: first === undefined ? undefined : authIn(first) });
  });
}

/** The auth object of a first frame: the frame itself, or the data of an `auth` event. */
function authIn(text: string): unknown {
  const frame = frameIn(text);
  return frame?.event === 'auth' ? frame.data : parseJson(text);
}

/** Messages before the admission, bounded because the connection is paused. */
function earlyMessages(socket: WebSocket): (string | undefined)[] {
  const early: (string | undefined)[] = [];
  socket.on('message', (data, isBinary) => early.push(textIn(data, isBinary)));
  return early;
}

async function letIn(
  socket: WebSocket,
  handshake: { readonly sessionId: string; readonly tokens: HandshakeTokens; readonly address: string },
  early: (string | undefined)[],
  deps: SocketDeps,
): Promise<void> {
  socket.pause();
  const admission = await deps.realtime.admit({ ...handshake, id: deps.newId() });
  if (socket.readyState !== socket.OPEN) {
    if (admission.ok) admission.permit.release();
    return;
  }
  if (!admission.ok) {
    refuse(socket, admission.code, admission.message);
    return;
  }
  const close = (reason: CloseReason) => end(socket, closeCodes[reason], reason);
  const { receive, leave } = deps.realtime.join({
    ...admission.identity,
    send: (frame) => {
      if (socket.bufferedAmount > deps.sockets.waitingBytes) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.send(frame.text);
    },
    close,
  });
  const take = (text: string | undefined) => {
    const frame = text === undefined ? undefined : frameIn(text);
    if (frame === undefined) close('bad_frame');
    else receive(frame.event, frame.data);
  };
  socket.removeAllListeners('message');
  socket.on('message', (data, isBinary) => take(textIn(data, isBinary)));
  socket.once('close', () => {
    leave();
    admission.permit.release();
  });
  early.forEach(take);
  socket.resume();
}

function refuse(socket: WebSocket, code: RefusalCode, message: string): void {
  socket.send(JSON.stringify({ event: 'connect_error', data: { code, message } }));
  end(socket, refusalCodes[code], code);
}

/** Closes a connection and drops later messages; terminates it if the client does not confirm in time. */
function end(socket: WebSocket, code: number, reason: string): void {
  socket.removeAllListeners('message');
  socket.close(code, reason);
  socket.resume();
  const timer = setTimeout(() => socket.terminate(), closeTimeoutMs);
  socket.once('close', () => clearTimeout(timer));
}

/** Pings the client and terminates a connection that does not answer. */
function keepAlive(socket: WebSocket, times: { pingIntervalMs: number; pingTimeoutMs: number }): void {
  let deadline: NodeJS.Timeout | undefined;
  const timer = setInterval(() => {
    if (deadline !== undefined || socket.isPaused) return;
    socket.ping();
    deadline = setTimeout(() => socket.terminate(), times.pingTimeoutMs);
  }, times.pingIntervalMs);
  socket.on('pong', () => {
    clearTimeout(deadline);
    deadline = undefined;
  });
  socket.once('close', () => {
    clearInterval(timer);
    clearTimeout(deadline);
  });
}

/** Text of a WebSocket message; undefined for a binary one. */
function textIn(data: unknown, isBinary: boolean): string | undefined {
  return !isBinary && Buffer.isBuffer(data) ? data.toString('utf8') : undefined;
}

/** `{event, data}` of a text frame; undefined if malformed. */
function frameIn(text: string): { event: string; data?: unknown } | undefined {
  return socketFrame.safeParse(parseJson(text)).data;
}

/** Close codes: RFC 6455 section 7.4.1, else the application range (4000 to 4999). */
const closeCodes: Readonly<Record<CloseReason, number>> = {
  session_deleted: 4404,
  shutdown: 1001,
  bad_frame: 1007,
  flood: 1008,
  stalled: 1008,
  replaced: 4409,
  expired: 4401,
  revoked: 4401,
};

const refusalCodes: Readonly<Record<RefusalCode, number>> = {
  bad_request: 4400,
  unauthenticated: 4401,
  not_found: 4404,
  too_many: 4429,
  unavailable: 1013,
};
