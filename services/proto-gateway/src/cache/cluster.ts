import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FileRegistry, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import type { Reply } from '@mlango/grpc-channel';
import { type ChainNode, keyOfCall, type NodeCall, type NodeReply } from '../nodes/chain-node.js';
import { isImmutable } from './reply.js';
import { packReply, unpackReply } from './reply-codec.js';

/** `hit`: stored. `joined`: called by another replica. Otherwise called here: `miss`, or store `unavailable` or `corrupt`. */
export type ClusterLookup = 'hit' | 'joined' | 'miss' | 'unavailable' | 'corrupt';

export interface ClusterCacheOptions {
  readonly store: ReplyStore;
  /** Identifies the chain and the descriptors; `undefined` while they are unknown. */
  readonly scope: () => string | undefined;
  readonly onLookup: (result: ClusterLookup) => void;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

interface Claim {
  readonly result: 'miss' | 'unavailable';
  /** Set if this replica owns the call. */
  readonly token?: string;
  /** The reply of the owner. */
  readonly reply?: Reply | undefined;
}

/** Maximum wait for another replica, and at most half of the call's time. */
const WAIT_MS = 1000;
/** Expiry of a claim if its replica died. */
const CLAIM_MS = 3000;
const POLL_MS = { first: 10, last: 100 };
/** Pause after a store failure. */
const RETRY_MS = 1000;

/**
 * Shares replies between replicas: replies at a confirmed height are stored for all, and a call that one replica runs is awaited by
 * the others. A store failure costs a call to the node, never an answer.
 */
export function clusterCache(node: ChainNode, { store, scope, onLookup, now }: ClusterCacheOptions): ChainNode {
  let retryAt = 0;

  /** The result of a store operation; `undefined` if the store is unavailable. */
  async function tryStore<T>(operation: Promise<T>): Promise<{ readonly result: T } | undefined> {
    try {
      return { result: await operation };
    } catch {
      retryAt = now() + RETRY_MS;
      return undefined;
    }
  }

  async function read(
    value: Buffer,
    height: string | undefined,
    found: 'hit' | 'joined',
  ): Promise<NodeReply | undefined> {
    const reply = await unpackReply(value);
    const isGood = reply !== undefined && (height === undefined || isImmutable(height, reply));
    onLookup(isGood ? found : 'corrupt');
    return isGood ? { ...reply, source: 'replica' } : undefined;
  }

  /** Waits for the replica that claimed a call. */
  async function waitFor(key: string, token: string, height: string | undefined, call: NodeCall) {
    const endsAt = now() + Math.min(WAIT_MS, call.timeoutMs / 2);
    for (
      let pauseMs = POLL_MS.first;
      now() < endsAt && !call.signal.aborted;
      pauseMs = Math.min(pauseMs * 2, POLL_MS.last)
    ) {
      await sleep(pauseMs);
      const polled = await tryStore(store.poll(key, token));
      if (polled === undefined) return undefined;
      const { value, isClaimed } = polled.result;
      if (value !== undefined) return read(value, height, 'joined');
      // The call failed at the other replica; it may succeed here.
      if (!isClaimed) return undefined;
    }
    return undefined;
  }

  /** Publishes the reply before it releases the claim, so that a waiting replica finds one of them. */
  async function publishReply(
    key: string,
    token: string,
    reply: Reply | undefined,
    height: string | undefined,
  ): Promise<void> {
    const isStored = reply !== undefined && isImmutable(height, reply);
    const isWanted = reply !== undefined && (isStored || (await tryStore(store.hasWaiters(key)))?.result === true);
    // A reply that cannot be packed is not shared. No caller awaits this function, so it must not reject.
    const packed = isWanted ? await packReply(reply).catch(() => undefined) : undefined;
    if (packed !== undefined) await tryStore(isStored ? store.save(key, packed) : store.publish(key, token, packed));
    await tryStore(store.release(key, token));
  }

  /** Claims a call, or waits for the replica that did. */
  async function claim(key: string, height: string | undefined, call: NodeCall): Promise<Claim> {
    const token = randomUUID();
    const taken = now() < retryAt ? undefined : await tryStore(store.claim(key, token, CLAIM_MS));
    if (taken === undefined) return { result: 'unavailable' };
    if (taken.result === token) return { result: 'miss', token };
    return { result: 'miss', reply: await waitFor(key, taken.result, height, call) };
  }

  async function callShared(key: string, height: string | undefined, call: NodeCall): Promise<NodeReply> {
    const startedAt = now();
    const saved = height === undefined ? undefined : await tryStore(store.find(key));
    const known = saved?.result === undefined ? undefined : await read(saved.result, height, 'hit');
    if (known !== undefined) return known;
    const { result, token, reply: joined } = await claim(key, height, call);
    if (joined !== undefined) return joined;
    onLookup(result);
    let reply: Reply | undefined;
    try {
      reply = await node.call({ ...call, timeoutMs: Math.max(1, call.timeoutMs - (now() - startedAt)) });
      return reply;
    } finally {
      // In the background: the caller has its reply.
      if (token !== undefined) void publishReply(key, token, reply, height);
    }
  }

  return {
    call(call) {
      const { text, height, hasCallerMetadata } = keyOfCall(call);
      const current = scope();
      // A call of another replica may have begun before the required block.
      const isUnshared = hasCallerMetadata || call.mustNotRetry === true || call.atLeast !== undefined;
      return current === undefined || isUnshared || now() < retryAt
        ? node.call(call)
        : callShared(`${current}\n${text}`, height, call);
    },
    stream: (call) => node.stream(call),
    close: () => node.close(),
  };
}

/** The state of a call at other replicas. */
export interface PolledReply {
  /** The stored or published reply, encoded. */
  readonly value: Buffer | undefined;
  /** The claim still holds. */
  readonly isClaimed: boolean;
}

/**
 * A store of replies for all replicas. Methods reject soon if the store is unavailable.
 *
 * `key` identifies chain, descriptors and call. Stored replies expire, and the oldest are evicted beyond a total size.
 */
export interface ReplyStore {
  find(key: string): Promise<Buffer | undefined>;
  /** Stores a value, unless there is one. */
  save(key: string, value: Buffer): Promise<void>;
  /** Claims a call for `ttlMs`. @returns the token of the owner */
  claim(key: string, token: string, ttlMs: number): Promise<string>;
  /** Whether another replica waits for the owner. */
  hasWaiters(key: string): Promise<boolean>;
  /** Ends a claim. */
  release(key: string, token: string): Promise<void>;
  /** Stores a value for the waiting replicas, for a short time. */
  publish(key: string, token: string, value: Buffer): Promise<void>;
  /** The state of the call that `token` claimed. */
  poll(key: string, token: string): Promise<PolledReply>;
}

/**
 * The scope of cache keys: the chain, so that gateways of two chains may share a Redis, and the descriptors that requests were
 * encoded with. `undefined` while the chain is unknown.
 */
export function scopeOf(chainId: () => string | undefined, registry: FileRegistry): () => string | undefined {
  const files = [...registry.files].sort((one, other) => (one.name < other.name ? -1 : 1));
  const hash = createHash('sha256');
  for (const { proto } of files) hash.update(toBinary(FileDescriptorProtoSchema, proto));
  const revision = hash.digest('base64url');
  return () => {
    const id = chainId();
    return id === undefined ? undefined : `${id.length}:${id}\n${revision}`;
  };
}
