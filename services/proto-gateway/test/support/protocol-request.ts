import type { HttpApp } from '@mlango/service-kit/http-app';

export const PARAMS = '/ixo.token.v1beta1.Query/Params';
export const NO_MESSAGE = Buffer.alloc(5);

/** A message with its flags and its length before it. */
export const framed = (flags: number, bytes: Uint8Array): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags, 0);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
};

/** A reply, read by its protocol. */
export interface Said {
  readonly status: number;
  readonly code: string | number | undefined;
  readonly message: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
}

type Payload = string | Buffer;
type Headers = Record<string, string>;

/** Sends a gRPC-Web request and reads the trailers of the reply. */
export async function grpcWeb(payload: Payload, headers: Headers, url: string, to: HttpApp): Promise<Said> {
  const type = { 'content-type': 'application/grpc-web+proto', ...headers };
  const reply = await to.inject({ method: 'POST', url, headers: type, payload });
  const isText = type['content-type'].includes('-text');
  const body = isText ? Buffer.from(reply.body, 'base64') : reply.rawPayload;
  let at = 0;
  while (body.length > at && ((body[at] ?? 0) & 0x80) === 0) at += 5 + body.readUInt32BE(at + 1);
  const trailers = body.subarray(at + 5).toString();
  const code = /grpc-status: (\d+)/.exec(trailers)?.[1];
  const message = decodeURIComponent(/grpc-message: (.*)\r/.exec(trailers)?.[1] ?? '');
  return {
    status: reply.statusCode,
    code: code === undefined ? undefined : Number(code),
    message,
    headers: reply.headers,
  };
}

/** Sends a unary Connect request. */
export async function connect(payload: Payload, headers: Headers, url: string, to: HttpApp): Promise<Said> {
  const type = { 'content-type': 'application/json', ...headers };
  const reply = await to.inject({ method: 'POST', url, headers: type, payload });
  const error = reply.statusCode === 200 ? {} : reply.json();
  return { status: reply.statusCode, code: error.code, message: error.message, headers: reply.headers };
}
