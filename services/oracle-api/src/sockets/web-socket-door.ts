import { Server as HttpServer } from 'node:http';
import websocket, { type WebSocket } from '@fastify/websocket';
import { socketLimits } from '@mlango/schemas/oracle-realtime';
import { ServiceError } from '@mlango/service-kit/errors';
import { addressKey, type HttpApp, takeOrRefuse } from '@mlango/service-kit/http-app';
import type { FastifyRequest } from 'fastify';
import { jsonIn } from '../json-in.js';
import { noSession, nothingShown, type RefusalCode, type Shown } from '../realtime/admission.js';
import type { CloseReason } from '../realtime/member.js';
import { isAllowedOrigin } from './allowed-origin.js';
import { closeCodes, refusalCodes } from './close-codes.js';
import { type DoorDeps, socketIoPath } from './doors.js';
import { keepAlive } from './keep-alive.js';
import { frameIn, textIn } from './text-frame.js';

/** How long a client may take to agree to the end of its connection, in ms. */
const farewellMs = 1_000;

/** Plain WebSockets at `/ws`, on the app's own port. Returns what closes the door behind everybody. */
export async function openWebSocketDoor(app: HttpApp, deps: DoorDeps): Promise<() => void> {
  // A server that never listens: it only hands on the upgrades that are not Socket.IO's.
  const upgrades = new HttpServer();
  app.server.on('upgrade', (request, socket, head) => {
    if (request.url?.startsWith(socketIoPath) !== true) upgrades.emit('upgrade', request, socket, head);
  });
  await app.register(websocket, {
    options: { server: upgrades, maxPayload: socketLimits.messageBytes, perMessageDeflate: false },
    // The app's own hook closes the sockets, once turns have ended.
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
    config: { isCountedByDoor: true },
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
      else greetClient(socket, request, sessionId, deps);
    },
  });
  return () => {
    for (const socket of app.websocketServer.clients) socket.terminate();
  };
}

/** Who it is: by the headers of the upgrade when they say so, else by the first frame. */
function greetClient(socket: WebSocket, request: FastifyRequest, sessionId: string, deps: DoorDeps): void {
  const { headers } = request;
  keepAlive(socket, deps.sockets);
  const early = earlyMessages(socket);
  const take = (shown: Shown) => {
    letIn(socket, { sessionId, shown, address: addressKey(request.ip) }, early, deps).catch((err: unknown) => {
      request.log.error({ err }, 'socket failed');
      socket.terminate();
    });
  };
  if (headers['x-auth-type'] !== undefined || headers['x-ucan-delegation'] !== undefined) {
    take({ headers });
    return;
  }
  const timer = setTimeout(() => refuse(socket, nothingShown.code, nothingShown.message), deps.sockets.authTimeoutMs);
  socket.once('close', () => clearTimeout(timer));
  socket.once('message', () => {
    clearTimeout(timer);
    const [first] = early.splice(0, 1);
    take({ auth: first === undefined ? undefined : authIn(first) });
  });
}

/** The auth object of a first frame: the frame itself, or the data of an `auth` event as in later ones. */
function authIn(text: string): unknown {
  const frame = frameIn(text);
  return frame?.event === 'auth' ? frame.data : jsonIn(text);
}

/** What a client sends before it is let in: no more than arrived at once, as the connection is paused meanwhile. */
function earlyMessages(socket: WebSocket): (string | undefined)[] {
  const early: (string | undefined)[] = [];
  socket.on('message', (data, isBinary) => early.push(textIn(data, isBinary)));
  return early;
}

async function letIn(
  socket: WebSocket,
  handshake: { readonly sessionId: string; readonly shown: Shown; readonly address: string },
  early: (string | undefined)[],
  deps: DoorDeps,
): Promise<void> {
  socket.pause();
  const admission = await deps.realtime.admit({ ...handshake, id: deps.newId() });
  if (socket.readyState !== socket.OPEN) {
    if (admission.ok) admission.seat.release();
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
    admission.seat.release();
  });
  early.forEach(take);
  socket.resume();
}

function refuse(socket: WebSocket, code: RefusalCode, message: string): void {
  socket.send(JSON.stringify({ event: 'connect_error', data: { code, message } }));
  end(socket, refusalCodes[code], code);
}

/** Closes a connection whose client gets a moment to agree. What it still sends is dropped. */
function end(socket: WebSocket, code: number, reason: string): void {
  socket.removeAllListeners('message');
  socket.close(code, reason);
  socket.resume();
  const timer = setTimeout(() => socket.terminate(), farewellMs);
  socket.once('close', () => clearTimeout(timer));
}
