import type { Reply } from '@mlango/grpc-channel';
import { type CallKey, type ChainNode, keyOfCall, replyHeight } from '../nodes/chain-node.js';
import { ByteLru } from './byte-lru.js';

export interface CacheRules {
  /** How long a reply at the latest height is given again, in ms. */
  readonly ttlMs: number;
  /** Replies that were used least lately go when all of them are larger. */
  readonly limitBytes: number;
}

interface CachedReply {
  readonly reply: Reply;
  /** `Infinity` for a block that is long written. */
  readonly expiresAtMs: number;
}

/** A node whose replies are kept. */
export interface ReplyCache extends ChainNode {
  /** True while this very reply is the one that an equal call would be given. */
  isCached(key: string, reply: Reply): boolean;
}

/** What an entry costs beside the bytes of its reply and its key. */
const ENTRY_BYTES = 512;

/**
 * Keeps replies of a node: those at a height the node confirmed for as long as there is room, others for a while.
 * One that is older than a caller may be given is asked for again. Failures, streams and calls with metadata of their own are never kept.
 *
 * @param now milliseconds of a clock that never goes back
 * @param onLookup told of each query that may be kept, whether it was
 */
export function cacheReplies(
  node: ChainNode,
  rules: CacheRules,
  now: () => number,
  onLookup: (isHit: boolean) => void = () => {},
): ReplyCache {
  const replies = new ByteLru<CachedReply>(rules.limitBytes);

  function find(key: string): Reply | undefined {
    const kept = replies.find(key);
    if (kept === undefined || kept.expiresAtMs > now()) return kept?.reply;
    replies.drop(key);
    return undefined;
  }

  function keep(key: CallKey, reply: Reply): void {
    const sizeBytes = ENTRY_BYTES + key.text.length * 2 + reply.message.length;
    const expiresAtMs = isImmutable(key.height, reply) ? Number.POSITIVE_INFINITY : now() + rules.ttlMs;
    replies.keep(key.text, { reply, expiresAtMs }, sizeBytes);
  }

  return {
    async call(call) {
      const key = keyOfCall(call);
      if (key.isPersonal || call.signal.aborted) return node.call(call);
      const kept = find(key.text);
      const known = kept !== undefined && hasReached(kept, call.atLeast) ? kept : undefined;
      onLookup(known !== undefined);
      if (known !== undefined) return known;
      const reply = await node.call(call);
      keep(key, reply);
      return reply;
    },
    isCached: (key, reply) => find(key) === reply,
    stream: (call) => node.stream(call),
    close() {
      replies.clear();
      node.close();
    },
  };
}

/** True for a reply at the height that was asked for, as the node itself says. */
export function isImmutable(height: string | undefined, reply: Reply): boolean {
  return height !== undefined && replyHeight(reply) === height;
}

function hasReached(reply: Reply, atLeast: number | undefined): boolean {
  return atLeast === undefined || Number(replyHeight(reply) ?? 0) >= atLeast;
}
