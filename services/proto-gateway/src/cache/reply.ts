import type { Reply } from '@mlango/grpc-channel';
import { LRUCache } from 'lru-cache';
import { type CallKey, type ChainNode, keyOfCall, type NodeReply, replyHeight } from '../nodes/chain-node.js';

export interface CacheRules {
  /** Lifetime of a reply at the latest height, in ms. */
  readonly ttlMs: number;
  /** Total size; the least recently used replies are evicted beyond it. */
  readonly limitBytes: number;
}

interface CachedReply {
  readonly reply: NodeReply;
  /** `Infinity` for a reply at a fixed height. */
  readonly expiresAtMs: number;
}

/** A node with a cache of its replies. */
export interface ReplyCache extends ChainNode {
  /** Whether an equal call would still get the reply of this id. */
  isCurrent(key: string, id: number | undefined): boolean;
}

/** Size of an entry in addition to its reply and its key. */
const ENTRY_BYTES = 512;

/**
 * Caches replies: without expiry for a height that the node confirmed, else for `ttlMs`. A reply below the caller's minimum height
 * is requested again. Failures, streams and calls with the caller's own metadata are never cached.
 *
 * @param now milliseconds of a monotonic clock
 * @param onLookup called with the result of each lookup
 */
export function cacheReplies(
  node: ChainNode,
  rules: CacheRules,
  now: () => number,
  onLookup: (isHit: boolean) => void = () => {},
): ReplyCache {
  const replies = new LRUCache<string, CachedReply>({ maxSize: rules.limitBytes });
  let lastId = 0;

  function find(key: string): NodeReply | undefined {
    const cached = replies.get(key);
    if (cached === undefined || cached.expiresAtMs > now()) return cached?.reply;
    replies.delete(key);
    return undefined;
  }

  /** Callers of one shared call save the same reply, under one id. */
  function save(key: CallKey, reply: NodeReply): NodeReply {
    const current = find(key.text);
    if (current !== undefined && current.message === reply.message) return { ...reply, id: current.id };
    lastId += 1;
    const saved = { ...reply, id: lastId };
    const size = ENTRY_BYTES + key.text.length * 2 + reply.message.length;
    const expiresAtMs = isImmutable(key.height, reply) ? Number.POSITIVE_INFINITY : now() + rules.ttlMs;
    replies.set(key.text, { reply: { ...saved, source: 'cache', bodies: undefined }, expiresAtMs }, { size });
    return saved;
  }

  return {
    async call(call) {
      const key = keyOfCall(call);
      if (key.hasCallerMetadata || call.signal.aborted) return node.call(call);
      const cached = find(key.text);
      const usable = cached !== undefined && hasReached(cached, call.atLeast) ? cached : undefined;
      onLookup(usable !== undefined);
      return usable ?? save(key, await node.call(call));
    },
    isCurrent: (key, id) => id !== undefined && find(key)?.id === id,
    stream: (call) => node.stream(call),
    close() {
      replies.clear();
      node.close();
    },
  };
}

/** Whether the node confirmed that a reply is at the requested height. */
export function isImmutable(height: string | undefined, reply: Reply): boolean {
  return height !== undefined && replyHeight(reply) === height;
}

function hasReached(reply: Reply, atLeast: number | undefined): boolean {
  return atLeast === undefined || Number(replyHeight(reply) ?? 0) >= atLeast;
}
