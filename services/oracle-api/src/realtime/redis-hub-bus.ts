import { setImmediate } from 'node:timers/promises';
import { key, publish, type RedisClient, type RedisSubscriber } from '@mlango/service-kit/redis';
import { type BusMessage, busMessage, type HubBus } from './hub-bus.js';

export interface RedisHubBusOptions {
  readonly client: RedisClient;
  /** Connections of its own: one that listens can do nothing else. */
  readonly subscriber: RedisSubscriber;
  readonly log: { warn(fields: object, text: string): void };
  /** Sets apart what shares one Redis. Default `oracle-api`. */
  readonly service?: string;
}

/** How long a start waits for Redis before it goes on alone, in ms; the subscription is made when Redis is back. */
const subscribeWaitMs = 2_000;

/**
 * Redis channels: one for all replicas and one for each. Messages begin with the sender, so that a replica passes over its
 * own without reading them.
 */
export function redisHubBus(options: RedisHubBusOptions): HubBus {
  const { client, subscriber, log, service = 'oracle-api' } = options;
  const all = key(service, 'realtime', 'all');
  const channelOf = (replica: string) => key(service, 'realtime', 'replica', replica);
  let own = '';
  const wire = (message: BusMessage) => `${own} ${JSON.stringify(message)}`;

  function receive(text: string, onMessage: (message: BusMessage) => void): void {
    if (text.startsWith(`${own} `)) return;
    try {
      onMessage(busMessage.parse(JSON.parse(text.slice(text.indexOf(' ') + 1))));
    } catch (err) {
      log.warn({ err }, 'message of another replica passed over');
    }
  }

  return {
    async listen(replica, onMessage) {
      own = replica;
      subscriber.on('message', (_channel: string, text: string) => receive(text, onMessage));
      const subscribed = subscriber.subscribe(all, channelOf(replica)).then(
        () => undefined,
        (err: unknown) => log.warn({ err }, 'not subscribed to the other replicas'),
      );
      await Promise.race([subscribed, new Promise<void>((resolve) => setTimeout(resolve, subscribeWaitMs).unref())]);
    },
    async publish(message) {
      // In one write with what this turn of the event loop has to send, such as the end of a run's log.
      await setImmediate();
      const receivers = await publish(client, all, wire(message));
      // This replica is among them, unless its subscription has been lost for the moment.
      return Math.max(0, receivers - 1);
    },
    async send(replica, message) {
      await publish(client, channelOf(replica), wire(message));
    },
  };
}
