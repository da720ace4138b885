import { findHeight } from '../transcoding/metadata.js';
import { type CallKey, keyOfCall } from './call-key.js';
import type { ChainNode, NodeReply } from './chain-node.js';

export interface CacheRules {
  /** How long a reply at the latest height is given again, in ms. */
  readonly ttlMs: number;
  /** Replies that were used least lately go when all of them are larger. */
  readonly limitBytes: number;
}

interface Entry {
  readonly reply: NodeReply;
  readonly sizeBytes: number;
  /** `Infinity` for a block that is long written. */
  readonly expiresAtMs: number;
}

/** What an entry costs beside the bytes of its reply and its key. */
const ENTRY_BYTES = 512;

/**
 * Keeps replies of a node: those at a height the node confirmed for as long as there is room, others for a while.
 * Failures, streams and calls with metadata of their own are never kept.
 *
 * @param now milliseconds of a clock that never goes back
 * @param onLookup told of each query that may be kept, whether it was
 */
export function cacheReplies(
  node: ChainNode,
  rules: CacheRules,
  now: () => number,
  onLookup: (isHit: boolean) => void = () => {},
): ChainNode {
  /** In the order of their last use. */
  const entries = new Map<string, Entry>();
  let totalBytes = 0;

  function drop(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    totalBytes -= entry.sizeBytes;
  }

  function find(key: string): NodeReply | undefined {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAtMs <= now()) {
      drop(key);
      return undefined;
    }
    entries.delete(key);
    entries.set(key, entry);
    return entry.reply;
  }

  function keep(key: CallKey, reply: NodeReply): void {
    const sizeBytes = ENTRY_BYTES + key.text.length * 2 + reply.message.length;
    if (sizeBytes > rules.limitBytes) return;
    drop(key.text);
    const expiresAtMs = isImmutable(key.height, reply) ? Number.POSITIVE_INFINITY : now() + rules.ttlMs;
    entries.set(key.text, { reply, sizeBytes, expiresAtMs });
    totalBytes += sizeBytes;
    for (const oldest of entries.keys()) {
      if (totalBytes <= rules.limitBytes) break;
      drop(oldest);
    }
  }

  return {
    async call(call) {
      const key = keyOfCall(call);
      if (key.isPersonal || call.signal.aborted) return node.call(call);
      const known = find(key.text);
      onLookup(known !== undefined);
      if (known !== undefined) return known;
      const reply = await node.call(call);
      keep(key, reply);
      return reply;
    },
    stream: (call) => node.stream(call),
    close() {
      entries.clear();
      totalBytes = 0;
      node.close();
    },
  };
}

/** True for a reply at the height that was asked for, as the node itself says. */
export function isImmutable(height: string | undefined, reply: NodeReply): boolean {
  return height !== undefined && (findHeight(reply.headers) ?? findHeight(reply.trailers)) === height;
}
