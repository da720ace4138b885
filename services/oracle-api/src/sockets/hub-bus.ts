import { z } from 'zod';

const place = { did: z.string(), sessionId: z.string() };

/** What replicas tell each other. Those that run different versions pass over what they do not know. */
export const busMessage = z.discriminatedUnion('kind', [
  /** Frames for the sockets of a session. */
  z.object({
    kind: z.literal('frames'),
    ...place,
    frames: z.array(z.object({ event: z.string(), data: z.unknown(), text: z.string() })),
  }),
  /** The session is gone. */
  z.object({ kind: z.literal('session_deleted'), ...place }),
  /** Somebody took a UCAN back. Each replica asks the store whether that is so. */
  z.object({ kind: z.literal('taken_back'), cid: z.string(), issuer: z.string() }),
  /** The socket has come back to another replica. */
  z.object({ kind: z.literal('member_moved'), memberId: z.string(), ...place }),
  /** Who has a socket for a call? Each replica answers with one `offer`. */
  z.object({
    kind: z.literal('who'),
    from: z.string(),
    inquiry: z.string(),
    credentials: z.array(z.string()),
    /** Whose sockets alone count, where the tools are of somebody who acts for the user. */
    actor: z.string().optional(),
    ...place,
  }),
  z.object({
    kind: z.literal('offer'),
    inquiry: z.string(),
    replica: z.string(),
    offer: z.object({ memberId: z.string(), matches: z.number(), joinedAtMs: z.number() }).nullable(),
  }),
  /** A call for one socket of the replica it is sent to. */
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
  /** Nobody waits for this call any more. */
  z.object({ kind: z.literal('withdraw'), memberId: z.string(), toolCallId: z.string() }),
]);
export type BusMessage = z.infer<typeof busMessage>;

/** What is said of one session, to whoever has a room for it. */
export type SessionMessage = Extract<BusMessage, { kind: 'frames' | 'session_deleted' | 'member_moved' | 'who' }>;

/**
 * How the hubs of all replicas reach each other.
 *
 * Delivery: at most once, in the order of one sender for each session and for each way; what is sent while the bus is down is lost. Nobody gets its own.
 * Failure: `publish`, `tell`, `tellCounted` and `send` reject when the bus is down. Sockets of the same replica are served without it.
 */
export interface HubBus {
  /** To every other replica. */
  broadcast(message: BusMessage): Promise<void>;
  /** To the other replicas that follow the session. */
  publish(message: SessionMessage): Promise<void>;
  /**
   * The same for a question that each of them answers; resolves with how many those are, or with Infinity when nobody can say. Costs more, and
   * may come after what is told later.
   */
  publishCounted(message: SessionMessage): Promise<number>;
  /** To one replica. */
  send(replica: string, message: BusMessage): Promise<void>;
  /** Called once, before anything else. Resolves when messages arrive, or will as soon as the bus is up. */
  listen(replica: string, onMessage: (message: BusMessage) => void): Promise<void>;
  /**
   * Has what is told of a session come here, until `unfollow`; to follow it again is nothing new. Resolves when all that is told from
   * now on arrives, and soon after with the bus down: it then does as soon as the bus is up. Never rejects.
   */
  follow(sessionId: string): Promise<void>;
  /** Safe to call for a session that is not followed. */
  unfollow(sessionId: string): void;
}

interface End {
  readonly onMessage: (message: BusMessage) => void;
  readonly followed: ReadonlySet<string>;
}

/** A bus within one process: for a replica that is alone, and for several hubs in tests. */
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
