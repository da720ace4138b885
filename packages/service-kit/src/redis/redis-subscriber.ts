import { Cluster } from 'ioredis';
import type { Logger } from '../logging/index.js';
import { type ChannelLink, clusterLink, serverLink } from './channel-link.js';
import { reasonOf } from './connection-log.js';
import type { RedisClient } from './redis-client.js';

/** A listener on a channel. */
export interface Listening {
  /** Whether the server has confirmed the subscription on the current connection. */
  readonly isConfirmed: boolean;
  /** Resolves once messages arrive, or after `limitMs` (default 500): messages then arrive once Redis is available again. */
  readonly within: (limitMs?: number) => Promise<void>;
  /** Idempotent. */
  readonly end: () => void;
}

interface Channel {
  readonly listeners: Set<{ readonly receive: (text: string) => void }>;
  /** Called once the subscription is confirmed. */
  readonly waiting: Set<() => void>;
  isConfirmed: boolean;
  /** Whether the server may have the subscription, so that it must be ended there. */
  isRequested: boolean;
  /** One request at a time, so that the last one holds. */
  isBusy: boolean;
  retry: NodeJS.Timeout | undefined;
}

/** Default limit of a wait for the confirmation, in ms. */
const waitMs = 500;
/** Pause before a failed request is retried on an open connection, in ms. */
const retryMs = 1_000;

/**
 * Receives messages of channels. A channel is subscribed once while it has listeners; a subscription is retried until the server
 * confirms it, and renewed on each new connection. Messages in between are missed.
 */
export class RedisSubscriber {
  readonly #link: ChannelLink;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #channels = new Map<string, Channel>();
  #hasWarned = false;

  /** @param client queues commands during an outage, and is used for nothing else */
  constructor(client: RedisClient, log: Pick<Logger, 'warn'>) {
    this.#link = client instanceof Cluster ? clusterLink(client) : serverLink(client);
    this.#log = log;
    this.#link.onMessage((name, text) => {
      for (const { receive } of this.#channels.get(name)?.listeners ?? []) receive(text);
    });
    this.#link.onDropped((names = [...this.#channels.keys()]) => {
      for (const name of names) {
        const channel = this.#channels.get(name);
        if (channel === undefined) continue;
        channel.isConfirmed = false;
        channel.isRequested = false;
        if (this.#link.state() === 'up') void this.#settle(name, channel);
      }
    });
  }

  /** Calls back for each message of the channel. */
  listen(name: string, receive: (text: string) => void): Listening {
    const known = this.#channels.get(name);
    const channel = known ?? newChannel();
    const listener = { receive };
    channel.listeners.add(listener);
    this.#channels.set(name, channel);
    if (known === undefined || known.listeners.size === 1) void this.#settle(name, channel);
    return {
      get isConfirmed() {
        return channel.isConfirmed;
      },
      within: (limitMs = waitMs) => confirmedWithin(channel, limitMs),
      end: () => {
        const isLast = channel.listeners.delete(listener) && channel.listeners.size === 0;
        if (isLast) void this.#settle(name, channel);
      },
    };
  }

  /** Subscribes or unsubscribes until the server's state matches the listeners. Never rejects. */
  async #settle(name: string, channel: Channel): Promise<void> {
    clearTimeout(channel.retry);
    if (channel.isBusy) return;
    channel.isBusy = true;
    try {
      while (isWanted(channel) ? !channel.isConfirmed : channel.isRequested) await this.#request(name, channel);
      this.#hasWarned = false;
    } catch (error) {
      this.#warn(error as Error);
      const retry = () => void this.#settle(name, channel);
      if (this.#link.state() !== 'ended') channel.retry = setTimeout(retry, retryMs).unref();
    }
    channel.isBusy = false;
    if (isWanted(channel) || channel.isRequested) return;
    // The next listener starts with a new channel.
    clearTimeout(channel.retry);
    this.#channels.delete(name);
  }

  /** Ends a subscription that failed before it subscribes again: the server may have accepted it. */
  async #request(name: string, channel: Channel): Promise<void> {
    if (channel.isRequested) {
      channel.isConfirmed = false;
      await this.#link.unsubscribe(name);
      channel.isRequested = false;
      return;
    }
    channel.isRequested = true;
    await this.#link.subscribe(name);
    channel.isConfirmed = true;
    for (const confirm of channel.waiting) confirm();
  }

  /** Logs one warning until a request succeeds. The connection logs its own outages. */
  #warn(error: Error): void {
    if (this.#hasWarned || this.#link.state() !== 'up') return;
    this.#hasWarned = true;
    this.#log.warn({ reason: reasonOf(error) }, 'Redis subscription failed, will retry');
  }
}

const newChannel = (): Channel => ({
  listeners: new Set(),
  waiting: new Set(),
  isConfirmed: false,
  isRequested: false,
  isBusy: false,
  retry: undefined,
});

const isWanted = ({ listeners }: Channel): boolean => listeners.size > 0;

function confirmedWithin(channel: Channel, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (channel.isConfirmed) {
      resolve();
      return;
    }
    const done = () => {
      clearTimeout(timer);
      channel.waiting.delete(done);
      resolve();
    };
    const timer = setTimeout(done, limitMs);
    channel.waiting.add(done);
  });
}
