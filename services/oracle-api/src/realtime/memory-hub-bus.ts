import type { BusMessage, HubBus } from './hub-bus.js';

/** A bus within one process: for a replica that is alone, and for several hubs in tests. */
export class MemoryHubBus {
  readonly #hubs = new Map<string, (message: BusMessage) => void>();

  /** The end of the bus for one more hub. */
  attach(): HubBus {
    let own = '';
    return {
      listen: async (replica, onMessage) => {
        own = replica;
        this.#hubs.set(replica, onMessage);
      },
      publish: async (message) => {
        const others = [...this.#hubs].filter(([replica]) => replica !== own);
        for (const [, onMessage] of others) onMessage(structuredClone(message));
        return others.length;
      },
      send: async (replica, message) => this.#hubs.get(replica)?.(structuredClone(message)),
    };
  }
}
