import { setImmediate } from 'node:timers/promises';
import {
  key,
  type Listening,
  publish,
  publishCounted,
  type RedisClient,
  type RedisSubscriber,
} from '@mlango/service-kit/redis';
import { type BusMessage, busMessage, type HubBus } from './hub-bus.js';
import { isForOlderReplicas, OlderReplicas } from './redis-older-replicas.js';

export interface RedisHubBusOptions {
  readonly client: RedisClient;
  readonly subscriber: RedisSubscriber;
  readonly log: { warn(fields: object, text: string): void };
  /** Sets apart what shares one Redis. Default `oracle-api`. */
  readonly service?: string;
}

/** How long a start waits for its subscriptions, in ms; those are made when Redis is back. */
const startWaitMs = 2_000;

/**
 * Redis channels: one for all replicas, one for each of them, and one for each session, which lies with the session on a cluster.
 * Messages begin with the sender, so that a replica passes over its own without reading them.
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
  let hear: (text: string) => void = () => undefined;
  const say = async (channel: string, json: string) => {
    // In one write with what this turn of the event loop has to send, such as the end of a run's log.
    await setImmediate();
    await publish(client, channel, `${own} ${json}`);
  };
  const isHeardHere = (sessionId: string) => followed.get(sessionId)?.isHeard === true;

  function receive(text: string, onMessage: (message: BusMessage) => void): void {
    if (text.startsWith(`${own} `) || isForOlderReplicas(text)) return;
    try {
      onMessage(busMessage.parse(JSON.parse(text.slice(text.indexOf(' ') + 1))));
    } catch (err) {
      log.warn({ err }, 'message of another replica passed over');
    }
  }

  return {
    async listen(replica, onMessage) {
      own = replica;
      hear = (text) => receive(text, onMessage);
      const listening = [ofOlder, all, channelOf(replica)].map((channel) => subscriber.listen(channel, hear));
      await Promise.all(listening.map(({ within }) => within(startWaitMs)));
    },
    async broadcast(message) {
      const json = JSON.stringify(message);
      await Promise.all([say(all, json), older.publish(json)]);
    },
    async publish(message) {
      const json = JSON.stringify(message);
      await Promise.all([say(channelOfSession(message.sessionId), json), older.publish(json)]);
    },
    async publishCounted(message) {
      const { sessionId } = message;
      const json = JSON.stringify(message);
      // What is confirmed, or lost, meanwhile may count this replica or not, and one too many is only waited for.
      const wasHeard = isHeardHere(sessionId);
      const [receivers, olderOnes] = await Promise.all([
        publishCounted(client, channelOfSession(sessionId), `${own} ${json}`),
        older.publish(json),
      ]);
      return Math.max(0, receivers - (wasHeard && isHeardHere(sessionId) ? 1 : 0)) + olderOnes;
    },
    async send(replica, message) {
      await say(channelOf(replica), JSON.stringify(message));
    },
    async follow(sessionId) {
      const listening = followed.get(sessionId) ?? subscriber.listen(channelOfSession(sessionId), hear);
      followed.set(sessionId, listening);
      await listening.within();
    },
    unfollow(sessionId) {
      followed.get(sessionId)?.end();
      followed.delete(sessionId);
    },
  };
}
