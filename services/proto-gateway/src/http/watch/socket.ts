import { Server as HttpServer } from 'node:http';
import websocket, { type WebSocket } from '@fastify/websocket';
import { gatewayWatchId, gatewayWatchRequest, type RpcError } from '@mlango/schemas/proto-gateway';
import { firstProblem, publicText, ServiceError } from '@mlango/service-kit/errors';
import { addressKey, type HttpApp } from '@mlango/service-kit/http-app';
import { isObject, parseJson } from '@mlango/service-kit/parse-json';
import { GRPC_CODES, type RpcStatus } from '@mlango/transcoder/grpc-status';
import { splitUrl } from '@mlango/transcoder/request-target';
import type { FastifyRequest } from 'fastify';
import { readWatch } from '../../watch/read-watch.js';
import { SocketReader } from '../../watch/socket-reader.js';
import type { Subscriber, Subscription } from '../../watch/subscription.js';
import { refusedWatch, type Watching } from '../../watch/watching.js';
import { serveAsRequest } from '../client-connections.js';
import { CATALOG_UNKNOWN, type CurrentHandlers } from '../current-handlers.js';
import { answerMismatch, GRPC_CODE_OF } from '../errors.js';
import { headerPairs } from '../request.js';
import { holdersOf } from './event-stream.js';

export interface WatchSocketOptions {
  /** The first path segment in use. */
  readonly prefix: string;
  readonly watching: Watching;
  readonly currentHandlers: () => CurrentHandlers | undefined;
  /** Callers present credentials to the gateway itself. */
  readonly isGated: boolean;
  /** Origins that may open a socket, in addition to the same host. */
  readonly corsOrigins: readonly string[];
  /** Counts a further watch of a socket against the caller's limit; rejects when it is reached. */
  readonly countExtraRequests?: ((request: FastifyRequest, times: number) => Promise<void>) | undefined;
  readonly stalledMs: number;
}

const MESSAGE_BYTES = 16 * 1024;
/** Maximum of queued messages. */
const WAITING = 200;

/** `/<prefix>/watch`: many subscriptions over one WebSocket. Other upgrade requests are served as plain requests. */
export async function watchSocketRoute(app: HttpApp, options: WatchSocketOptions): Promise<void> {
  const path = `/${options.prefix}/watch`;
  // A server that never listens: it gets only the accepted upgrades.
  const upgrades = new HttpServer();
  app.server.on('upgrade', (request, socket, head) => {
    const isMeant = request.headers.upgrade?.toLowerCase() === 'websocket' && request.url?.split('?', 1)[0] === path;
    if (isMeant) upgrades.emit('upgrade', request, socket, head);
    else serveAsRequest(app.server, request, socket, head);
  });
  await app.register(async (scope) => {
    await scope.register(websocket, {
      options: { server: upgrades, maxPayload: MESSAGE_BYTES, perMessageDeflate: false },
      preClose: (done) => done(),
      errorHandler: (_error, socket) => socket.terminate(),
    });
    scope.route({
      method: 'GET',
      url: path,
      schema: { hide: true },
      onRequest: async (request) => {
        if (request.ws && !isAllowedOrigin(request, options.corsOrigins)) {
          throw new ServiceError('permission_denied', 'Pages of this origin may not open a WebSocket');
        }
        if (request.ws && options.watching.readers.isClosed) {
          throw new ServiceError('unavailable', 'This gateway is stopping');
        }
      },
      handler: async () => {
        throw new ServiceError('not_found', `${path} is a WebSocket: request it with an upgrade`);
      },
      wsHandler: (socket, request) => greet(socket, request, options),
    });
  });
}

/** Browsers do not apply CORS to WebSockets, so the server checks the origin. Other clients send none. */
function isAllowedOrigin({ headers }: FastifyRequest, origins: readonly string[]): boolean {
  const { origin, host } = headers;
  return (
    origin === undefined || origins.includes(origin) || origin === `http://${host}` || origin === `https://${host}`
  );
}

function greet(socket: WebSocket, request: FastifyRequest, options: WatchSocketOptions): void {
  const { watching } = options;
  const { keyBytes, isAuthorised } = request;
  const reader = new SocketReader(socket, {
    budget: watching.replyBytes,
    maySend: () => keyBytes?.isUsedUp() !== true,
    isAuthorised: isAuthorised ?? (() => true),
    onEvent: ({ kind }) => {
      keyBytes?.count();
      watching.metrics.sent(kind);
    },
    onSkip: watching.metrics.skipped,
    heartbeatMs: watching.rules.heartbeatMs,
    stalledMs: options.stalledMs,
    now: watching.now,
  });
  socket.once('close', watching.readers.add(reader));
  let [waiting, work] = [0, Promise.resolve()];
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    waiting += 1;
    if (waiting > WAITING) socket.close(1008, 'too many messages');
    else {
      work = work
        .then(() => take(isBinary ? undefined : data.toString('utf8'), reader, request, options))
        .finally(() => {
          waiting -= 1;
        });
    }
  });
}

/** Handles one message. Never rejects. */
async function take(
  text: string | undefined,
  reader: SocketReader,
  request: FastifyRequest,
  options: WatchSocketOptions,
): Promise<void> {
  const json = text === undefined ? undefined : parseJson(text);
  const parsed = gatewayWatchRequest.safeParse(json);
  if (!parsed.success) {
    const message = isObject(json)
      ? firstProblem(parsed.error, 'a message')
      : 'a message: must be an object of JSON, with op and id';
    const { data: id } = gatewayWatchId.safeParse(isObject(json) ? json['id'] : undefined);
    const data = error({ code: GRPC_CODES.invalidArgument, message, details: [] });
    reader.send({ ...(id === undefined ? {} : { id }), event: 'refused', data });
    return;
  }
  const { id } = parsed.data;
  if (parsed.data.op === 'unsubscribe') {
    reader.unsubscribe(id);
    reader.send({ id, event: 'unsubscribed' });
    return;
  }
  const refuse = (status: RpcStatus) => reader.send({ id, event: 'refused', data: error(status) });
  if (reader.subscriptions.has(id)) {
    refuse({ code: GRPC_CODES.alreadyExists, message: 'A watch with this id is open', details: [] });
    return;
  }
  try {
    await options.countExtraRequests?.(request, 1);
  } catch (failure) {
    if (!(failure instanceof ServiceError)) throw failure;
    refuse({ code: GRPC_CODE_OF[failure.code], message: publicText(failure), details: [] });
    return;
  }
  if (!reader.isOver) begin(parsed.data, reader, request, options, refuse);
}

function begin(
  { id, path, from }: { readonly id: string; readonly path: string; readonly from?: string | undefined },
  reader: SocketReader,
  request: FastifyRequest,
  options: WatchSocketOptions,
  refuse: (status: RpcStatus) => void,
): void {
  const { watching } = options;
  const { pools, metrics } = watching;
  const join = joinByPath(path, request, options);
  if ('status' in join) {
    refuse(join.status);
    return;
  }
  const permit = pools.watches.tryAcquire(holdersOf(request));
  if ('full' in permit) {
    metrics.refused(permit.full);
    refuse(refusedWatch(permit.full, pools));
    return;
  }
  reader.send({ id, event: 'subscribed' });
  const resumeFrom = watching.resumeHeight(from === undefined ? undefined : Number(from));
  const watch = join.join({ from: resumeFrom, offer: (frame) => reader.offer(id, frame) });
  if (watch !== undefined) {
    reader.subscriptions.set(id, { watch, permit });
    return;
  }
  permit.release();
  metrics.refused('queries');
  refuse(refusedWatch('queries', pools));
}

function error({ code, message, details }: RpcStatus): Omit<RpcError, 'code'> & { readonly code: number } {
  return { code, message, details: [...details] };
}

const NO_BODY = new Uint8Array();

/** The subscription of a path, or the status that refuses it. */
function joinByPath(
  url: string,
  request: FastifyRequest,
  { prefix, watching, currentHandlers, isGated }: WatchSocketOptions,
): { readonly join: (subscriber: Subscriber) => Subscription | undefined } | { readonly status: RpcStatus } {
  if (splitUrl(url).rawPath === `/${prefix}/blocks`) return { join: (subscriber) => watching.blocks.join(subscriber) };
  const now = currentHandlers();
  if (now === undefined) return { status: CATALOG_UNKNOWN };
  const match = now.table.transcoder.match('GET', url);
  if (match.kind !== 'found') {
    const { body } = answerMismatch(match, 'GET', url, now.table);
    // The body of a mismatch is a status.
    return { status: typeof body === 'string' ? JSON.parse(body) : CATALOG_UNKNOWN };
  }
  // `watch` is implied by the socket.
  const parsed = readWatch(match.rawQuery, [], match.route.rpc.input);
  const watched = now.gateway.watched({
    ...match,
    ...(parsed !== undefined && 'rawQuery' in parsed ? { rawQuery: parsed.rawQuery } : {}),
    headers: headerPairs(request, { isGated }),
    body: NO_BODY,
    callerAddress: request.ip,
    plan: request.apiKey?.plan,
  });
  return 'status' in watched
    ? watched
    : { join: (subscriber) => watching.queries.join(watched.query, subscriber, addressKey(request.ip)) };
}
