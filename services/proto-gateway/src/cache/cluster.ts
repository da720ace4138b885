import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FileRegistry, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import type { Reply } from '@mlango/grpc-channel';
import { type ChainNode, keyOfCall, type NodeCall } from '../nodes/chain-node.js';
import { isImmutable } from './reply.js';
import { packReply, unpackReply } from './reply-codec.js';

/** `hit`: it was kept. `joined`: another replica asked for it meanwhile. `miss`: the node was asked. The rest: so it was, too. */
export type ClusterLookup = 'hit' | 'joined' | 'miss' | 'unavailable' | 'corrupt';

export interface ClusterCacheOptions {
  readonly store: ReplyStore;
  /** What replies depend on beside the call: the chain, and the descriptors. `undefined` while that is not known. */
  readonly scope: () => string | undefined;
  readonly onLookup: (result: ClusterLookup) => void;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

interface Claim {
  readonly result: 'miss' | 'unavailable';
  /** It is on us to ask the node. */
  readonly token?: string;
  /** What the replica has said that did. */
  readonly reply?: Reply | undefined;
}

/** The longest that a replica is waited for; half of the time of a call is left for asking oneself. */
const WAIT_MS = 1000;
/** Who takes a call on and dies is forgotten after this time. */
const ASKING_MS = 3000;
const POLL_MS = { first: 10, last: 100 };
/** After a failure the store is left alone for this time. */
const REST_MS = 1000;

/**
 * A node that all replicas ask together: what is asked for at a height, and told by the node to be of that height, is kept for all of
 * them, and a call that is under way at one of them is waited for by the others. Whatever goes wrong with the store costs a call
 * to the node and never an answer.
 */
export function clusterCache(node: ChainNode, { store, scope, onLookup, now }: ClusterCacheOptions): ChainNode {
  let restsUntil = 0;

  /** What the store says; `undefined` where it cannot be asked. */
  async function ask<T>(question: Promise<T>): Promise<{ readonly said: T } | undefined> {
    try {
      return { said: await question };
    } catch {
      restsUntil = now() + REST_MS;
      return undefined;
    }
  }

  async function read(value: Buffer, height: string | undefined, found: 'hit' | 'joined'): Promise<Reply | undefined> {
    const reply = await unpackReply(value);
    const isGood = reply !== undefined && (height === undefined || isImmutable(height, reply));
    onLookup(isGood ? found : 'corrupt');
    return isGood ? reply : undefined;
  }

  /** Waits for the replica that has taken a call on. */
  async function waitFor(key: string, token: string, height: string | undefined, call: NodeCall) {
    const endsAt = now() + Math.min(WAIT_MS, call.timeoutMs / 2);
    for (
      let pauseMs = POLL_MS.first;
      now() < endsAt && !call.signal.aborted;
      pauseMs = Math.min(pauseMs * 2, POLL_MS.last)
    ) {
      await sleep(pauseMs);
      const looked = await ask(store.poll(key, token));
      if (looked === undefined) return undefined;
      const { value, isAsking } = looked.said;
      if (value !== undefined) return read(value, height, 'joined');
      // It failed there: that may be of this one call, or of that replica.
      if (!isAsking) return undefined;
    }
    return undefined;
  }

  /** Leaves the reply to the others, and lets the call go after it, so that nobody who waits finds neither. */
  async function leave(
    key: string,
    token: string,
    reply: Reply | undefined,
    height: string | undefined,
  ): Promise<void> {
    const isKept = reply !== undefined && isImmutable(height, reply);
    const isWanted = reply !== undefined && (isKept || (await ask(store.hasWaiters(key)))?.said === true);
    const packed = isWanted ? await packReply(reply) : undefined;
    if (packed !== undefined) await ask(isKept ? store.save(key, packed) : store.publish(key, token, packed));
    await ask(store.release(key, token));
  }

  /** Takes a call on, or has it from the replica that did. */
  async function takeOn(key: string, height: string | undefined, call: NodeCall): Promise<Claim> {
    const token = randomUUID();
    const taken = now() < restsUntil ? undefined : await ask(store.claim(key, token, ASKING_MS));
    if (taken === undefined) return { result: 'unavailable' };
    if (taken.said === token) return { result: 'miss', token };
    return { result: 'miss', reply: await waitFor(key, taken.said, height, call) };
  }

  async function callShared(key: string, height: string | undefined, call: NodeCall): Promise<Reply> {
    const startedAt = now();
    const kept = height === undefined ? undefined : await ask(store.find(key));
    const known = kept?.said === undefined ? undefined : await read(kept.said, height, 'hit');
    if (known !== undefined) return known;
    const { result, token, reply: joined } = await takeOn(key, height, call);
    if (joined !== undefined) return joined;
    onLookup(result);
    let reply: Reply | undefined;
    try {
      reply = await node.call({ ...call, timeoutMs: Math.max(1, call.timeoutMs - (now() - startedAt)) });
      return reply;
    } finally {
      // The caller does not wait for it.
      if (token !== undefined) void leave(key, token, reply, height);
    }
  }

  return {
    call(call) {
      const { text, height, isPersonal } = keyOfCall(call);
      const of = scope();
      // What is asked for from a block on must not be what somebody began before.
      const isOwn = isPersonal || call.isOnce === true || call.atLeast !== undefined;
      return of === undefined || isOwn || now() < restsUntil
        ? node.call(call)
        : callShared(`${of}\n${text}`, height, call);
    },
    stream: (call) => node.stream(call),
    close: () => node.close(),
  };
}

/** What of a call has been found at other replicas. */
export interface PolledReply {
  /** What is kept, or was handed to those who waited; unread. */
  readonly value: Buffer | undefined;
  /** Who asks the node is still at it. */
  readonly isAsking: boolean;
}

/**
 * Where replicas keep replies for one another. All rejects where it cannot be reached, and nothing takes long then.
 *
 * `key` says the call whole, the chain and the descriptors included. What is kept is kept for a time, and within a number of
 * bytes, the oldest going first.
 */
export interface ReplyStore {
  find(key: string): Promise<Buffer | undefined>;
  /** Keeps a value that is the same whoever asks for it; one that is there already stays. */
  save(key: string, value: Buffer): Promise<void>;
  /** Takes the call on, for `ttlMs` at most: whose token comes back asks the node, and others wait for that one. */
  claim(key: string, token: string, ttlMs: number): Promise<string>;
  /** Somebody waits for whoever has taken it on. */
  hasWaiters(key: string): Promise<boolean>;
  /** It is done with. */
  release(key: string, token: string): Promise<void>;
  /** Leaves a value, for a moment, to those who wait. */
  publish(key: string, token: string, value: Buffer): Promise<void>;
  /** What those who wait for `token` look for. */
  poll(key: string, token: string): Promise<PolledReply>;
}

/**
 * What replies depend on beside the call: the chain, so that two that share a Redis never mix, and the descriptors requests were
 * written by. `undefined` while the chain is not known.
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
