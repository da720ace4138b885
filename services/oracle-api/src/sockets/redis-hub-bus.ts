import { performance } from 'node:perf_hooks';
import { endOfTurn } from '@mlango/async/end-of-turn';
import {
  key,
  type Listening,
  publish,
  publishCounted,
  type RedisClient,
  type RedisSubscriber,
} from '@mlango/service-kit/redis';
import { type BusMessage, busMessage, type HubBus } from './hub-bus.js';

export interface RedisHubBusOptions {
  readonly client: RedisClient;
  readonly subscriber: RedisSubscriber;
  readonly log: { warn(fields: object, text: string): void };
  /** Key prefix. Default `oracle-api`. */
  readonly service?: string;
}

/** Longest wait for subscriptions at the start, in ms; they complete when Redis is back. */
const startWaitMs = 2_000;

/**
 * Redis channels: one for all replicas, one per replica, and one per session, in the session's cluster slot.
 * Messages begin with the sender, so that a replica skips its own without parsing.
 */
export function redisHubBus(options: RedisHubBusOptions): HubBus {
  const { client, subscriber, log, service = 'oracle-api' } = options;
  const all = key(service, 'realtime', 'everyone');
  const ofOlder = key(service, 'realtime', 'all');
  const older = new OlderReplicas(client, { theirs: ofOlder, ours: all });
  const channelOf = (replica: string) => key(service, 'realtime', 'replica', replica);
  const channelOfSession = (sessionId: string) => key(service, sessionId, 'sockets');
  const followed = new Map<string, Listening>();
  let own = '';
  let onText: (text: string) => void = () => undefined;
  const send = async (channel: string, json: string) => {
    // One write together with other commands of this event loop turn.
    await endOfTurn();
    await publish(client, channel, `${own} ${json}`);
  };
  const isSubscribed = (sessionId: string) => followed.get(sessionId)?.isConfirmed === true;

  function receive(text: string, onMessage: (message: BusMessage) => void): void {
    if (text.startsWith(`${own} `) || isForOlderReplicas(text)) return;
    try {
      onMessage(busMessage.parse(JSON.parse(text.slice(text.indexOf(' ') + 1))));
    } catch (err) {
      log.warn({ err }, 'message of another replica ignored');
    }
  }

  return {
    async listen(replica, onMessage) {
      own = replica;
      onText = (text) => receive(text, onMessage);
      const listening = [ofOlder, all, channelOf(replica)].map((channel) => subscriber.listen(channel, onText));
      await Promise.all(listening.map(({ within }) => within(startWaitMs)));
    },
    async broadcast(message) {
      const json = JSON.stringify(message);
      await Promise.all([send(all, json), older.publish(json)]);
    },
    async publish(message) {
      const json = JSON.stringify(message);
      await Promise.all([send(channelOfSession(message.sessionId), json), older.publish(json)]);
    },
    async publishCounted(message) {
      const { sessionId } = message;
      const json = JSON.stringify(message);
      // A subscription that changes meanwhile may be miscounted; one too many only costs waiting time.
      const wasSubscribed = isSubscribed(sessionId);
      const [receivers, olderOnes] = await Promise.all([
        publishCounted(client, channelOfSession(sessionId), `${own} ${json}`),
        older.publishCounted(json),
      ]);
      return Math.max(0, receivers - (wasSubscribed && isSubscribed(sessionId) ? 1 : 0)) + olderOnes;
    },
    async send(replica, message) {
      await send(channelOf(replica), JSON.stringify(message));
    },
    async follow(sessionId) {
      const listening = followed.get(sessionId) ?? subscriber.listen(channelOfSession(sessionId), onText);
      followed.set(sessionId, listening);
      await listening.within();
    },
    unfollow(sessionId) {
      followed.get(sessionId)?.end();
      followed.delete(sessionId);
    },
  };
}

/** Interval of counting them, in ms. */
const countEveryMs = 10_000;
/** Prefix, instead of a sender, of messages for them only. */
const forThem = 'copy ';
/** A message without an effect. */
const noEffect = '{"kind":"withdraw","memberId":"","toolCallId":""}';

/** Whether replicas of this release ignore the message. */
const isForOlderReplicas = (text: string): boolean => text.startsWith(forThem);

/** Copies messages to replicas of release 0.1, which use a single channel, during a rolling upgrade. To be removed with release 0.3. */
export class OlderReplicas {
  readonly #client: RedisClient;
  readonly #channels: { readonly theirs: string; readonly ours: string };
  #counted: Promise<number> = Promise.resolve(0);
  #nextCountAtMs = 0;

  /** @param channels `theirs`: subscribed by both releases; `ours`: by this release only; both with one hash tag */
  constructor(client: RedisClient, channels: { readonly theirs: string; readonly ours: string }) {
    this.#client = client;
    this.#channels = channels;
  }

  /** Sends the message if there were older replicas when they were last counted. */
  async publish(json: string): Promise<void> {
    const count = await this.#count();
    if (count > 0) await publish(this.#client, this.#channels.theirs, `${forThem}${json}`);
  }

  /** Sends the message and resolves with the number of its receivers, Infinity if unknown. */
  async publishCounted(json: string): Promise<number> {
    // In this order: a replica of this release subscribes to `theirs` first.
    const [own, all] = await Promise.all([
      publishCounted(this.#client, this.#channels.ours, `${forThem}${noEffect}`),
      publishCounted(this.#client, this.#channels.theirs, `${forThem}${json}`),
    ]);
    return Number.isFinite(all - own) ? Math.max(0, all - own) : Infinity;
  }

  #count(): Promise<number> {
    if (performance.now() < this.#nextCountAtMs) return this.#counted;
    this.#nextCountAtMs = performance.now() + countEveryMs;
    this.#counted = this.#countSubscribers().catch(() => {
      this.#nextCountAtMs = 0;
      return 0;
    });
    return this.#counted;
  }

  async #countSubscribers(): Promise<number> {
    const count = await this.publishCounted(noEffect);
    if (!Number.isFinite(count)) throw new Error('number of subscribers unknown');
    return count;
  }
}
