import { create, type DescMethodServerStreaming, type DescMethodUnary, fromBinary, toBinary } from '@bufbuild/protobuf';
import { ConnectError, type Transport } from '@connectrpc/connect';
import { createConnectTransport as nodeConnect, createGrpcWebTransport as nodeGrpcWeb } from '@connectrpc/connect-node';
import { createConnectTransport as webConnect, createGrpcWebTransport as webGrpcWeb } from '@connectrpc/connect-web';
import { Status } from '@mlango/proto/google/rpc/status';
import * as grpcWeb from 'grpc-web';
import { Window } from 'happy-dom';

type Values = Readonly<Record<string, string>>;
type Fields = Record<string, unknown>;

export interface ClientReply {
  readonly message: object;
  /** Headers and trailers together, as the client gives them. */
  readonly metadata: ReadonlyMap<string, string>;
}

export interface CallOptions {
  readonly headers?: Values;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

interface PackedDetail {
  readonly type: string;
  readonly bytes: number;
}

/** The failure of a call, as the client reports it. */
export class AskFailure extends Error {
  readonly code: number;
  readonly details: readonly PackedDetail[];

  constructor(code: number, message: string, details: readonly PackedDetail[]) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** A published client, unmodified, behind the calls that tests need. */
export interface ProtocolClient {
  /** Rejects with an `AskFailure`. */
  send(method: DescMethodUnary, request: Fields, options?: CallOptions): Promise<ClientReply>;
  /** The messages of a stream. */
  watch(method: DescMethodServerStreaming, request: Fields, options?: CallOptions): AsyncIterable<object>;
}

export const PROTOCOL_CLIENTS: Readonly<Record<string, (baseUrl: string) => ProtocolClient>> = {
  'connect-web, Connect in JSON': (baseUrl) => overTransport(webConnect({ baseUrl })),
  'connect-web, Connect in protobuf': (baseUrl) => overTransport(webConnect({ baseUrl, useBinaryFormat: true })),
  'connect-web, Connect by GET': (baseUrl) => overTransport(webConnect({ baseUrl, useHttpGet: true })),
  'connect-web, gRPC-Web': (baseUrl) => overTransport(webGrpcWeb({ baseUrl })),
  'connect-web, gRPC-Web in JSON': (baseUrl) => overTransport(webGrpcWeb({ baseUrl, useBinaryFormat: false })),
  'connect-node, Connect': (baseUrl) => overTransport(nodeConnect({ baseUrl, httpVersion: '1.1' })),
  'connect-node, gRPC-Web': (baseUrl) => overTransport(nodeGrpcWeb({ baseUrl, httpVersion: '1.1' })),
  'grpc-web, in bytes': (baseUrl) => overGrpcWeb(baseUrl, 'binary'),
  'grpc-web, in text': (baseUrl) => overGrpcWeb(baseUrl, 'text'),
};

function overTransport(transport: Transport): ProtocolClient {
  return {
    async send(method, request, { headers, timeoutMs, signal } = {}) {
      try {
        const reply = await transport.unary(method, signal, timeoutMs, headers, request);
        return { message: reply.message, metadata: new Map([...reply.header, ...reply.trailer]) };
      } catch (error) {
        throw failureOf(error);
      }
    },
    async *watch(method, request, { headers, timeoutMs, signal } = {}) {
      const input = (async function* one() {
        yield request;
      })();
      try {
        const reply = await transport.stream(method, signal, timeoutMs, headers, input);
        yield* reply.message;
      } catch (error) {
        throw failureOf(error);
      }
    },
  };
}

function failureOf(error: unknown): AskFailure {
  const { code, rawMessage, details } = ConnectError.from(error);
  const packed = details.filter((detail) => 'type' in detail);
  return new AskFailure(
    code,
    rawMessage,
    packed.map(({ type, value }) => ({ type, bytes: value.length })),
  );
}

/** `grpc-web` uses the browser's XMLHttpRequest. */
function overGrpcWeb(baseUrl: string, format: 'binary' | 'text'): ProtocolClient {
  const page = new Window({ url: baseUrl });
  Object.assign(globalThis, { XMLHttpRequest: page.XMLHttpRequest });
  const client = new grpcWeb.GrpcWebClientBase({ format });
  const describe = (method: DescMethodUnary | DescMethodServerStreaming) =>
    new grpcWeb.MethodDescriptor<object, object>(
      `/${method.parent.typeName}/${method.name}`,
      method.methodKind === 'unary' ? grpcWeb.MethodType.UNARY : grpcWeb.MethodType.SERVER_STREAMING,
      Object,
      Object,
      (request: object) => toBinary(method.input, create(method.input, { ...request })),
      (bytes: Uint8Array) => fromBinary(method.output, bytes),
    );
  const urlOf = (method: DescMethodUnary | DescMethodServerStreaming) =>
    `${baseUrl}/${method.parent.typeName}/${method.name}`;
  const sent = ({ headers, timeoutMs }: CallOptions) => ({
    ...headers,
    ...(timeoutMs === undefined ? {} : { deadline: String(Date.now() + timeoutMs) }),
  });

  return {
    send: (method, request, options = {}) =>
      new Promise((resolve, reject) => {
        const metadata = new Map<string, string>();
        const note = (more: Values | undefined) => {
          for (const [name, value] of Object.entries(more ?? {})) metadata.set(name, value);
        };
        let message: object | undefined;
        const call = client.rpcCall(urlOf(method), request, sent(options), describe(method), (error, response) => {
          if (error === null) message = response;
          else reject(httpFailure(error));
        });
        call.on('metadata', note);
        call.on('status', ({ code, metadata: trailers }) => {
          note(trailers);
          if (code === 0) queueMicrotask(() => message !== undefined && resolve({ message, metadata }));
        });
        options.signal?.addEventListener('abort', () => {
          call.cancel();
          reject(new AskFailure(1, 'cancelled', []));
        });
      }),
    async *watch(method, request, options = {}) {
      const messages: object[] = [];
      let wake = (): void => {};
      let end: { readonly failure?: AskFailure } | undefined;
      const call = client.serverStreaming(urlOf(method), request, sent(options), describe(method));
      const on = (change: () => void) => {
        change();
        wake();
      };
      call.on('data', (message) => on(() => messages.push(message)));
      call.on('error', (error) => on(() => (end = { failure: httpFailure(error) })));
      call.on('end', () => on(() => (end ??= {})));
      try {
        for (;;) {
          const next = messages.shift();
          if (next !== undefined) yield next;
          else if (end !== undefined) break;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
        if (end.failure !== undefined) throw end.failure;
      } finally {
        call.cancel();
      }
    },
  };
}

function httpFailure({ code, message, metadata }: grpcWeb.RpcError): AskFailure {
  const packed = metadata['grpc-status-details-bin'];
  const details = packed === undefined ? [] : Status.decode(Buffer.from(packed, 'base64')).details;
  return new AskFailure(
    code,
    message,
    details.map(({ type_url, value }) => ({
      type: type_url.slice(type_url.lastIndexOf('/') + 1),
      bytes: value.length,
    })),
  );
}
