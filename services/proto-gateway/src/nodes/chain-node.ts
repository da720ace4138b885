import { findHeight, HEIGHT_HEADER, isHeight } from '@mlango/cosmos-rest/heights';
import type { CallOptions, CancelSignal, Channel, Metadata, Reply, ReplyStream } from '@mlango/grpc-channel';

export interface NodeCall {
  /** `/ixo.claims.v1beta1.Query/ClaimList` */
  readonly path: string;
  /** The request message in protobuf. */
  readonly request: Uint8Array;
  readonly metadata: Metadata;
  /** Time for the whole call, retries included. */
  readonly timeoutMs: number;
  /** Minimum block height of the reply, for a call at the latest height. */
  readonly atLeast?: number | undefined;
  /** The call may have effects, so the pool must not retry it. */
  readonly mustNotRetry?: boolean | undefined;
  /** The `addressKey` of the caller, for its share of calls; absent for the gateway's own calls. */
  readonly address?: string | undefined;
  /** Aborted when the caller has left. */
  readonly signal: CancelSignal;
}

/** A reply body in the form of one request. */
export interface WrittenBody {
  readonly body: string | Buffer;
  /** Bytes that are not UTF-8 were replaced. */
  readonly hasReplaced: boolean;
}

/** A reply with its origin. `target` names the node that made it. */
export interface NodeReply extends Reply {
  /** The cache that returned the reply; omitted for a reply that came from a node for this call. */
  readonly source?: 'cache' | 'replica' | undefined;
  /** Equal for the copies of one reply in the reply cache. */
  readonly id?: number | undefined;
  /** Set if several callers share the reply: its written bodies by form. */
  readonly bodies?: Map<string, WrittenBody> | undefined;
}

/** A chain node, or a pool of nodes. It fulfils the contract of `Channel`. */
export interface ChainNode {
  call(call: NodeCall): Promise<NodeReply>;
  stream(call: NodeCall): ReplyStream;
  /** Closes the connections; running calls fail. */
  close(): void;
}

/** Identifies the calls that have equal replies. */
export interface CallKey {
  /** Equal for calls with equal replies at one moment. */
  readonly text: string;
  /** The requested block height; `undefined` for the latest. */
  readonly height: string | undefined;
  /** The caller sent its own metadata, such as credentials: the reply must not be cached for others. */
  readonly hasCallerMetadata: boolean;
}

/** Metadata that the gateway adds about the caller; no reply depends on it. */
const CALLER_METADATA = new Set(['x-forwarded-for', 'x-forwarded-host']);

/** The block height in metadata, without leading zeros; `undefined` for the latest. */
export function requestedHeight(metadata: Metadata): string | undefined {
  let height: string | undefined;
  for (const entry of metadata) {
    // The last height wins; 0 means the latest block.
    if (isHeightEntry(entry)) height = shortest(entry[1]);
  }
  return height;
}

export function keyOfCall(call: NodeCall): CallKey {
  // Length prefixes keep different calls from having one key.
  const { buffer, byteOffset, length } = call.request;
  const request = length === 0 ? '' : Buffer.from(buffer, byteOffset, length).toString('latin1');
  let text = `${call.path}\n${length}:${request}`;
  let height: string | undefined;
  let hasCallerMetadata = false;
  for (const entry of call.metadata) {
    const [name, value] = entry;
    if (isHeightEntry(entry)) height = shortest(entry[1]);
    else if (!CALLER_METADATA.has(name)) {
      hasCallerMetadata = true;
      const printed = typeof value === 'string' ? value : Buffer.from(value).toString('base64');
      text += `\n${name}\n${printed.length}:${printed}`;
    }
  }
  return { text: `${text}\n${height ?? ''}`, height, hasCallerMetadata };
}

function isHeightEntry(entry: Metadata[number]): entry is readonly [string, string] {
  const [name, value] = entry;
  return name === HEIGHT_HEADER && typeof value === 'string' && isHeight(value);
}

function shortest(height: string): string | undefined {
  return (height.startsWith('0') ? height.replace(/^0+/, '') : height) || undefined;
}

/** A channel as a chain node. The requested height is the position in the channel's terms. */
export function nodeOverChannel(channel: Channel): ChainNode {
  return {
    call: (call) => channel.unary(call.path, call.request, optionsOf(call)),
    stream: (call) => channel.stream(call.path, call.request, optionsOf(call)),
    close: () => channel.close(),
  };
}

function optionsOf({ metadata, timeoutMs, signal, atLeast, mustNotRetry }: NodeCall): CallOptions {
  const height = requestedHeight(metadata);
  return {
    metadata,
    timeoutMs,
    signal,
    atLeast,
    mustNotRetry,
    at: height === undefined ? undefined : BigInt(height),
  };
}

/** The block height of a reply, in digits. */
export function replyHeight({ headers, trailers }: Reply): string | undefined {
  return findHeight(headers) ?? findHeight(trailers);
}
