import type { BusMessage, HubBus, SessionMessage } from './hub-bus.js';

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
      publish: async (message) => void toOthers(message, () => true),
      tell: async (message) => void toFollowers(message),
      tellCounted: async (message) => toFollowers(message),
      send: async (replica, message) => this.#ends.get(replica)?.onMessage(structuredClone(message)),
      follow: async (sessionId) => void followed.add(sessionId),
      unfollow: (sessionId) => void followed.delete(sessionId),
    };
  }
}
