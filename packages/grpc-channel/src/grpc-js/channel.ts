import type { ChannelCredentials, ClientOptions, Metadata as GrpcMetadata, ServiceError } from '@grpc/grpc-js';
import {
  CALL_TIMEOUT_MS,
  type CallOptions,
  type Channel,
  failedStream,
  type Reply,
  type ReplyStream,
} from '../channel.js';
import { GRPC_CODES } from '../grpc-code.js';
import { type Metadata, withoutNames } from '../metadata.js';
import { NodeFailure } from '../node-failure.js';
import { CONNECT_TIMEOUT_MS, KEEPALIVE, type NodeOptions, type NodeTls, RECONNECT } from '../node-options.js';
import { isServiceError, toFailure, unavailableFailure } from './failure.js';
import { GuardedClient } from './guarded-client.js';
import { fromGrpcMetadata, toGrpcMetadata } from './metadata.js';

const passBytes = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const identity = (bytes: Buffer): Buffer => bytes;

/** The used part of `@grpc/grpc-js`. */
export type GrpcJs = Pick<typeof import('@grpc/grpc-js'), 'Client' | 'credentials' | 'Metadata' | 'connectivityState'>;

/** Channels over grpc-js, which is injected, so that the package does not depend on it. They connect with the first call. */
export function grpcJsChannel(grpc: GrpcJs): (options: NodeOptions) => Channel {
  return (options) => openStock(grpc, options);
}

function openStock(grpc: GrpcJs, options: NodeOptions): Channel {
  const client = new GuardedClient({
    ready: grpc.connectivityState.READY,
    open: () => new grpc.Client(options.target, credentialsFor(grpc, options.tls), channelOptions(options)),
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    onOutage: options.onOutage,
  });
  const own = options.metadata ?? [];
  const sentWith = ({ metadata = [] }: CallOptions): GrpcMetadata =>
    toGrpcMetadata(new grpc.Metadata(), [...own, ...withoutNames(metadata, own)]);
  return {
    unary: (path, request, call = {}) => unary(client, path, request, sentWith(call), call),
    stream: (path, request, call = {}) => serverStream(client, path, request, sentWith(call), call),
    reconnect: () => client.reconnect(),
    close: () => client.close(),
  };
}

function credentialsFor({ credentials }: GrpcJs, tls: NodeTls | undefined): ChannelCredentials {
  if (tls === undefined) return credentials.createInsecure();
  const pem = (text: string | undefined): Buffer | null => (text === undefined ? null : Buffer.from(text));
  return credentials.createSsl(pem(tls.ca), pem(tls.identity?.key), pem(tls.identity?.cert));
}

function channelOptions({ maxReceiveBytes, serverName, keepalive = KEEPALIVE }: NodeOptions): ClientOptions {
  return {
    ...(serverName === undefined
      ? {}
      : { 'grpc.ssl_target_name_override': serverName, 'grpc.default_authority': serverName }),
    'grpc.max_receive_message_length': maxReceiveBytes,
    'grpc.keepalive_time_ms': keepalive.afterMs,
    'grpc.keepalive_timeout_ms': keepalive.timeoutMs,
    'grpc.initial_reconnect_backoff_ms': RECONNECT.firstMs,
    'grpc.max_reconnect_backoff_ms': RECONNECT.lastMs,
    // Retries are made above the channel, where another node can be chosen.
    'grpc.enable_retries': 0,
    'grpc.primary_user_agent': 'mlango-grpc-channel',
    // Each node has its own connection: by default grpc-js shares connections between channels.
    'grpc.use_local_subchannel_pool': 1,
  };
}

function unary(
  guarded: GuardedClient,
  path: string,
  request: Uint8Array,
  sent: GrpcMetadata,
  call: CallOptions,
): Promise<Reply> {
  const { timeoutMs = CALL_TIMEOUT_MS, signal } = call;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(new NodeFailure(GRPC_CODES.cancelled, 'cancelled before the call', { fromTransport: true }));
      return;
    }
    const client = guarded.take();
    if (client === undefined) {
      reject(unavailableFailure());
      return;
    }
    let isUnavailable = false;
    let headers: Metadata = [];
    let reply: Buffer | undefined;
    const running = client.makeUnaryRequest(
      path,
      passBytes,
      identity,
      request,
      sent,
      { deadline: Date.now() + timeoutMs },
      (error, bytes) => {
        if (error === null) reply = bytes;
        else {
          signal?.removeEventListener('abort', cancel);
          stopWaiting();
          guarded.note(error.details);
          reject(isUnavailable ? unavailableFailure() : toFailure(error, headers));
        }
      },
    );
    const cancel = (): void => running.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    const stopWaiting = guarded.onceUnavailable(() => {
      isUnavailable = true;
      cancel();
    });
    running.on('metadata', (metadata: GrpcMetadata) => {
      headers = fromGrpcMetadata(metadata);
    });
    // The status follows the reply and contains the trailers.
    running.on('status', (status) => {
      signal?.removeEventListener('abort', cancel);
      if (reply !== undefined) resolve({ message: reply, headers, trailers: fromGrpcMetadata(status.metadata) });
    });
  });
}

function serverStream(
  guarded: GuardedClient,
  path: string,
  request: Uint8Array,
  sent: GrpcMetadata,
  call: CallOptions,
): ReplyStream {
  const { timeoutMs = CALL_TIMEOUT_MS, signal } = call;
  const client = guarded.take();
  if (client === undefined) return failedStream(unavailableFailure());
  let isUnavailable = false;
  const running = client.makeServerStreamRequest(path, passBytes, identity, request, sent, {
    deadline: Date.now() + timeoutMs,
  });
  const cancel = (): void => running.cancel();
  if (signal?.aborted === true) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  const stopWaiting = guarded.onceUnavailable(() => {
    isUnavailable = true;
    cancel();
  });
  const fail = (error: ServiceError): NodeFailure => (isUnavailable ? unavailableFailure() : toFailure(error, seen));
  let seen: Metadata = [];
  const trailers = new Promise<Metadata>((resolve) => {
    running.once('status', ({ metadata }) => resolve(fromGrpcMetadata(metadata)));
  });
  const headers = new Promise<Metadata>((resolve, reject) => {
    running.once('metadata', (metadata: GrpcMetadata) => {
      seen = fromGrpcMetadata(metadata);
      resolve(seen);
    });
    running.once('error', (error: ServiceError) => reject(fail(error)));
    running.once('end', () => resolve(seen));
  });
  // A caller that reads only the messages gets the failure there.
  headers.catch(() => undefined);
  return { headers, messages: readMessages() };

  async function* readMessages(): AsyncGenerator<Uint8Array, Metadata> {
    try {
      for await (const bytes of running) yield bytes;
      return await trailers;
    } catch (error) {
      throw isServiceError(error) ? fail(error) : error;
    } finally {
      signal?.removeEventListener('abort', cancel);
      stopWaiting();
      running.cancel();
    }
  }
}
