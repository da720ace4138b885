import type { Holders } from '@mlango/async/fair-semaphore';
import { addressKey } from '@mlango/service-kit/http-app';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import type { FastifyRequest } from 'fastify';
import { type Answer, errorAnswer } from '../../answers/answer.js';
import { EventStream } from '../../watch/event-stream.js';
import type { Subscriber, Subscription } from '../../watch/subscription.js';
import { refusedWatch, type Watching, type WatchRefusal } from '../../watch/watching.js';

const RETRY_AFTER = { 'retry-after': '5' };

/** Holders of a request's watch: its key or address, and its address. */
export function holdersOf({ rateLimitKey, ip }: FastifyRequest): Holders<'client' | 'address'> {
  const address = addressKey(ip);
  return { client: rateLimitKey ?? address, address };
}

/**
 * Answers a subscription with a stream of events, or with its refusal.
 *
 * @param from the last block that the client received
 * @param join starts the subscription; `undefined` if the limit of watched queries is reached
 */
export function eventStream(
  watching: Watching,
  request: FastifyRequest,
  from: number | undefined,
  join: (subscriber: Subscriber) => Subscription | undefined,
): Answer {
  const { metrics, readers, rules, pools } = watching;
  const refuse = (why: WatchRefusal): Answer => {
    if (why !== 'closing') metrics.refused(why);
    return errorAnswer(refusedWatch(why, pools), [], RETRY_AFTER);
  };
  if (readers.isClosed) return refuse('closing');
  if (request.method === 'HEAD') return { ...EVENTS, body: '' };
  const permit = pools.watches.tryAcquire(holdersOf(request));
  if ('full' in permit) return refuse(permit.full);
  const { keyBytes, isAuthorised } = request;
  const stream = new EventStream({
    from: watching.resumeHeight(from),
    budget: watching.replyBytes,
    maySend: () => keyBytes?.isUsedUp() !== true,
    isAuthorised: isAuthorised ?? (() => true),
    onEvent: ({ kind }) => {
      keyBytes?.count();
      metrics.sent(kind);
    },
    onSkip: metrics.skipped,
    heartbeatMs: rules.heartbeatMs,
    now: watching.now,
  });
  const watch = join(stream);
  if (watch === undefined) {
    permit.release();
    stream.destroy();
    return refuse('queries');
  }
  stream.attach(watch);
  stream.once('close', readers.add(stream));
  stream.once('close', () => permit.release());
  return { ...EVENTS, body: stream };
}

const EVENTS = {
  status: 200,
  contentType: 'text/event-stream; charset=utf-8',
  // The connection is not reused, and must not stay open when the process stops.
  headers: new Map([['connection', ['close']]]),
  code: GRPC_CODES.ok,
} as const;
