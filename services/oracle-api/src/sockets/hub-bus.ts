import { z } from 'zod';

const place = { did: z.string(), sessionId: z.string() };

/** Messages between replicas. A replica of another version ignores unknown kinds. */
export const busMessage = z.discriminatedUnion('kind', [
  /** Frames for the sockets of a session. */
  z.object({
    kind: z.literal('frames'),
    ...place,
    frames: z.array(z.object({ event: z.string(), data: z.unknown(), text: z.string() })),
  }),
  /** The session was deleted. */
  z.object({ kind: z.literal('session_deleted'), ...place }),
  /** A UCAN was revoked. Each replica confirms it with the store. */
  z.object({ kind: z.literal('taken_back'), cid: z.string(), issuer: z.string() }),
  /** The socket has resumed at another replica. */
  z.object({ kind: z.literal('member_moved'), memberId: z.string(), ...place }),
  /** Requests a socket for a call from every replica; each replies with one `offer`. */
  z.object({
    kind: z.literal('who'),
    from: z.string(),
    inquiry: z.string(),
    credentials: z.array(z.string()),
    /** Only sockets of this delegate count, if a delegate declared the tools. */
    actor: z.string().optional(),
    ...place,
  }),
  z.object({
    kind: z.literal('offer'),
    inquiry: z.string(),
    replica: z.string(),
    offer: z.object({ memberId: z.string(), matches: z.number(), joinedAtMs: z.number() }).nullable(),
  }),
  /** A call for one socket of the receiving replica. */
  z.object({
    kind: z.literal('ask'),
    from: z.string(),
    memberId: z.string(),
    toolCallId: z.string(),
    callKind: z.enum(['browser_tool', 'action']),
    frame: z.object({ event: z.string(), data: z.unknown(), text: z.string() }),
    ...place,
  }),
  z.object({
    kind: z.literal('answer'),
    memberId: z.string(),
    toolCallId: z.string(),
    result: z.unknown().optional(),
    error: z.unknown().optional(),
  }),
  /** The call was cancelled or timed out. */
  z.object({ kind: z.literal('withdraw'), memberId: z.string(), toolCallId: z.string() }),
]);
export type BusMessage = z.infer<typeof busMessage>;

/** Messages about one session, for replicas with a room for it. */
export type SessionMessage = Extract<BusMessage, { kind: 'frames' | 'session_deleted' | 'member_moved' | 'who' }>;

/**
 * Connects the hubs of all replicas.
 *
 * Delivery: at most once, ordered per sender, session and method; a replica does not receive its own messages.
 * Failure: `broadcast`, `publish`, `publishCounted` and `send` reject while the bus is down. Local sockets work without it.
 */
export interface HubBus {
  /** To every other replica. */
  broadcast(message: BusMessage): Promise<void>;
  /** To the other replicas that follow the session. */
  publish(message: SessionMessage): Promise<void>;
  /** As `publish`. Resolves with the number of receivers, Infinity if unknown. Slower: later messages may be delivered first. */
  publishCounted(message: SessionMessage): Promise<number>;
  /** To one replica. */
  send(replica: string, message: BusMessage): Promise<void>;
  /** Call once, first. Resolves when messages arrive, or soon if the bus is down. */
  listen(replica: string, onMessage: (message: BusMessage) => void): Promise<void>;
  /** Subscribes to a session until `unfollow`; idempotent. Resolves when its messages arrive, or soon if the bus is down. Never rejects. */
  follow(sessionId: string): Promise<void>;
  /** Idempotent. */
  unfollow(sessionId: string): void;
}

interface End {
  readonly onMessage: (message: BusMessage) => void;
  readonly followed: ReadonlySet<string>;
}

/** A bus within one process: for a single replica, and for several hubs in tests. */
export class MemoryHubBus {
  readonly #ends = new Map<string, End>();

  /** The end of the bus for one more hub. */
  attach(): HubBus {
    let own = '';
    const followed = new Set<string>();
    const toOthers = (message: BusMessage, isMeant: (end: End) => boolean) => {
      const others = [...this.#ends].filter(([replica, end]) => replica !== own && isMeant(end));
      for (const [, { onMessage }] of others) onMessage(structuredClone(message));
      return others.length;
    };
    const toFollowers = (message: SessionMessage) => toOthers(message, (end) => end.followed.has(message.sessionId));
    return {
      listen: async (replica, onMessage) => {
        own = replica;
        this.#ends.set(replica, { onMessage, followed });
      },
      broadcast: async (message) => void toOthers(message, () => true),
      publish: async (message) => void toFollowers(message),
      publishCounted: async (message) => toFollowers(message),
      send: async (replica, message) => this.#ends.get(replica)?.onMessage(structuredClone(message)),
      follow: async (sessionId) => void followed.add(sessionId),
      unfollow: (sessionId) => void followed.delete(sessionId),
    };
  }
}
