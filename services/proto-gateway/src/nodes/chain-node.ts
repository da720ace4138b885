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
  /** The block the caller has seen: no older one is answered from. Only where the call asks for the latest one. */
  readonly atLeast?: number | undefined;
  /** The call may change something, so it must not be made twice. */
  readonly isOnce?: boolean | undefined;
  /** The `addressKey` of the caller, whose share of calls it takes; absent for a call of the gateway itself. */
  readonly address?: string | undefined;
  /** Aborted when nobody waits for the reply any more. */
  readonly signal: CancelSignal;
}

/** A chain node, or several behind one name. It holds to what a `Channel` does. */
export interface ChainNode {
  call(call: NodeCall): Promise<Reply>;
  stream(call: NodeCall): ReplyStream;
  /** Ends connections; calls under way fail. */
  close(): void;
}

/** What the reply to a call depends on. */
export interface CallKey {
  /** Equal for calls that get equal replies at the same moment. */
  readonly text: string;
  /** The block height asked for; `undefined` for the latest one. */
  readonly height: string | undefined;
  /** The caller sent metadata of its own, credentials perhaps: others must not be given its reply later. */
  readonly isPersonal: boolean;
}

/** What the gateway says of a caller; no query depends on it. */
const ABOUT_THE_CALLER = new Set(['x-forwarded-for', 'x-forwarded-host']);

/** The block height that metadata ask for, in its shortest spelling; `undefined` for the latest one. */
export function requestedHeight(metadata: Metadata): string | undefined {
  let height: string | undefined;
  for (const entry of metadata) {
    // The last height is the one that counts; 0 is the latest block.
    if (asksForHeight(entry)) height = shortest(entry[1]);
  }
  return height;
}

export function keyOfCall(call: NodeCall): CallKey {
  // Each part says how long it is, so that none can stand for two.
  const { buffer, byteOffset, length } = call.request;
  const request = length === 0 ? '' : Buffer.from(buffer, byteOffset, length).toString('latin1');
  let text = `${call.path}\n${length}:${request}`;
  let height: string | undefined;
  let isPersonal = false;
  for (const entry of call.metadata) {
    const [name, value] = entry;
    if (asksForHeight(entry)) height = shortest(entry[1]);
    else if (!ABOUT_THE_CALLER.has(name)) {
      isPersonal = true;
      const printed = typeof value === 'string' ? value : Buffer.from(value).toString('base64');
      text += `\n${name}\n${printed.length}:${printed}`;
    }
  }
  return { text: `${text}\n${height ?? ''}`, height, isPersonal };
}

function asksForHeight(entry: Metadata[number]): entry is readonly [string, string] {
  const [name, value] = entry;
  return name === HEIGHT_HEADER && typeof value === 'string' && isHeight(value);
}

function shortest(height: string): string | undefined {
  return (height.startsWith('0') ? height.replace(/^0+/, '') : height) || undefined;
}

/** What is behind a channel, as a node. The height a call asks for is the position of its nodes. */
export function nodeOverChannel(channel: Channel): ChainNode {
  return {
    call: (call) => channel.unary(call.path, call.request, optionsOf(call)),
    stream: (call) => channel.stream(call.path, call.request, optionsOf(call)),
    close: () => channel.close(),
  };
}

function optionsOf({ metadata, timeoutMs, signal, atLeast, isOnce }: NodeCall): CallOptions {
  const height = requestedHeight(metadata);
  return { metadata, timeoutMs, signal, atLeast, isOnce, at: height === undefined ? undefined : BigInt(height) };
}

/** The block height a reply says it was made at, in digits. */
export function replyHeight({ headers, trailers }: Reply): string | undefined {
  return findHeight(headers) ?? findHeight(trailers);
}
