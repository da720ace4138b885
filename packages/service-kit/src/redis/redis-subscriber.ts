import { Cluster } from 'ioredis';
import type { Logger } from '../logging/index.js';
import { type ChannelLink, clusterLink, serverLink } from './channel-link.js';
import { reasonOf } from './connection-log.js';
import type { RedisClient } from './redis-client.js';

/** One who listens to a channel. */
export interface Listening {
  /** Whether the server has confirmed it, on the connection that there is now. */
  readonly isHeard: boolean;
  /** Resolves when words arrive from now on, and after `limitMs`, by default 500, at the latest: they then do as soon as Redis is back. */
  readonly within: (limitMs?: number) => Promise<void>;
  /** Safe to call again. */
  readonly end: () => void;
}

interface Channel {
  readonly listeners: Set<{ readonly hear: (text: string) => void }>;
  /** To be called once it is heard. */
  readonly waiting: Set<() => void>;
  isHeard: boolean;
  /** Whether somebody may have it that would have to be told to let it go: the server, or a client that asks for it again. */
  isAsked: boolean;
  /** One thing is asked at a time, so that what was asked last is what holds. */
  isBusy: boolean;
  retry: NodeJS.Timeout | undefined;
}

/** How long somebody who is about to do something else waits to be heard, in ms. */
const waitMs = 500;
/** Pause before what has failed on a connection that is there is asked again, in ms. */
const retryMs = 1_000;

/**
 * Hears what is said on channels. A channel is subscribed to while somebody listens to it, however many those are; what is wanted
 * is asked for until the server confirms it, and anew at each new connection. Words of the meantime are lost.
 */
export class RedisSubscriber {
  readonly #link: ChannelLink;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #channels = new Map<string, Channel>();
  #hasComplained = false;

  /** @param client waits out an outage, and is used for nothing else */
  constructor(client: RedisClient, log: Pick<Logger, 'warn'>) {
    this.#link = client instanceof Cluster ? clusterLink(client) : serverLink(client);
    this.#log = log;
    this.#link.onWord((name, text) => {
      for (const { hear } of this.#channels.get(name)?.listeners ?? []) hear(text);
    });
    this.#link.onForgotten((names = [...this.#channels.keys()]) => {
      for (const name of names) {
        const channel = this.#channels.get(name);
        if (channel === undefined) continue;
        channel.isHeard = false;
        channel.isAsked = false;
        if (this.#link.state() === 'up') void this.#settle(name, channel);
      }
    });
  }

  /** Calls back for each word of the channel. */
  listen(name: string, hear: (text: string) => void): Listening {
    const known = this.#channels.get(name);
    const channel = known ?? newChannel();
    const listener = { hear };
    channel.listeners.add(listener);
    this.#channels.set(name, channel);
    if (known === undefined || known.listeners.size === 1) void this.#settle(name, channel);
    return {
      get isHeard() {
        return channel.isHeard;
      },
      within: (limitMs = waitMs) => heardWithin(channel, limitMs),
      end: () => {
        const isLast = channel.listeners.delete(listener) && channel.listeners.size === 0;
        if (isLast) void this.#settle(name, channel);
      },
    };
  }

  /** Has the server know of a channel what those who listen want of it. Never rejects. */
  async #settle(name: string, channel: Channel): Promise<void> {
    clearTimeout(channel.retry);
    if (channel.isBusy) return;
    channel.isBusy = true;
    try {
      while (isWanted(channel) ? !channel.isHeard : channel.isAsked) await this.#ask(name, channel);
      this.#hasComplained = false;
    } catch (error) {
      this.#complain(error as Error);
      const again = () => void this.#settle(name, channel);
      if (this.#link.state() !== 'over') channel.retry = setTimeout(again, retryMs).unref();
    }
    channel.isBusy = false;
    if (isWanted(channel) || channel.isAsked) return;
    // Who listens next has a channel of their own.
    clearTimeout(channel.retry);
    this.#channels.delete(name);
  }

  /** One that was asked for in vain is let go of first: it may have been heard all the same. */
  async #ask(name: string, channel: Channel): Promise<void> {
    if (channel.isAsked) {
      channel.isHeard = false;
      await this.#link.unsubscribe(name);
      channel.isAsked = false;
      return;
    }
    channel.isAsked = true;
    await this.#link.subscribe(name);
    channel.isHeard = true;
    for (const tell of channel.waiting) tell();
  }

  /** An outage of the connection is in the log already; of anything else it is said once until something goes well. */
  #complain(error: Error): void {
    if (this.#hasComplained || this.#link.state() !== 'up') return;
    this.#hasComplained = true;
    this.#log.warn({ reason: reasonOf(error) }, 'a channel of Redis is not heard; asked for again until it is');
  }
}

const newChannel = (): Channel => ({
  ...{ listeners: new Set(), waiting: new Set() },
  ...{ isHeard: false, isAsked: false, isBusy: false, retry: undefined },
});

const isWanted = ({ listeners }: Channel): boolean => listeners.size > 0;

function heardWithin(channel: Channel, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (channel.isHeard) {
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
