import { type Channel, NodeFailure } from '@mlango/grpc-channel';

/** The reply to a call: a message in gRPC's framing, or the code of a failure. */
export interface PreparedReply {
  readonly code: number;
  readonly framed: Buffer;
}

/** The reply to a call; synchronous if the call was made before. */
export type PreparedReplies = (path: string, request: Buffer) => PreparedReply | Promise<PreparedReply>;

const PREFIX_BYTES = 5;

/** Calls the node once for each request and repeats its reply. Heights are ignored: the first reply serves every height. */
export function preparedReplies(node: Channel): PreparedReplies {
  const known = new Map<string, PreparedReply>();
  return (path, request) => {
    const key = `${path} ${request.toString('latin1')}`;
    return (
      known.get(key) ??
      prepare(node, path, request).then((reply) => {
        known.set(key, reply);
        return reply;
      })
    );
  };
}

async function prepare(node: Channel, path: string, request: Buffer): Promise<PreparedReply> {
  try {
    const { message } = await node.unary(path, request);
    const framed = Buffer.alloc(PREFIX_BYTES + message.length);
    framed.writeUInt32BE(message.length, 1);
    framed.set(message, PREFIX_BYTES);
    return { code: 0, framed };
  } catch (failure) {
    if (failure instanceof NodeFailure) return { code: failure.code, framed: Buffer.alloc(0) };
    throw failure;
  }
}
