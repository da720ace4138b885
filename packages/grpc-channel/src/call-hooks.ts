import { tracingChannel } from 'node:diagnostics_channel';
import type { CallOptions, Reply, ReplyStream } from './channel.js';
import type { Metadata } from './metadata.js';

/** A call, as listeners get it before it is sent. They may add metadata, such as a `traceparent`. */
export interface TracedCall {
  readonly path: string;
  /** `host:port` */
  readonly target: string;
  readonly metadata: (readonly [name: string, value: string | Uint8Array])[];
}

/** The diagnostics channel of calls to nodes: one event at the start, one at the end. */
const calls = tracingChannel<unknown, TracedCall>('mlango:grpc:call');

/** Whether there are listeners. Without them calls have no overhead. */
export const hasListeners = (): boolean => calls.hasSubscribers;

type Place = Pick<TracedCall, 'path' | 'target'>;

export function traceUnary(
  place: Place,
  options: CallOptions,
  make: (options: CallOptions) => Promise<Reply>,
): Promise<Reply> {
  const call = tracedCall(place, options);
  return calls.tracePromise(() => make({ ...options, metadata: call.metadata }), call);
}

/** A stream ends with its last message, when it breaks, and when its reader leaves. */
export function traceStream(
  place: Place,
  options: CallOptions,
  make: (options: CallOptions) => ReplyStream,
): ReplyStream {
  const call = tracedCall(place, options);
  calls.start.publish(call);
  const { headers, messages } = make({ ...options, metadata: call.metadata });
  let isOver = false;
  const end = (failure?: { readonly error: unknown }): void => {
    if (isOver) return;
    isOver = true;
    if (failure !== undefined) calls.error.publish(Object.assign(call, failure));
    calls.asyncEnd.publish(call);
  };
  headers.catch((error: unknown) => end({ error }));
  // A reader that never begins has left its call.
  options.signal?.addEventListener('abort', () => end(), { once: true });
  return { headers, messages: untilOver(messages, end) };
}

function tracedCall(place: Place, { metadata = [] }: CallOptions): TracedCall {
  return { ...place, metadata: [...metadata] };
}

async function* untilOver(
  messages: ReplyStream['messages'],
  end: (failure?: { readonly error: unknown }) => void,
): AsyncGenerator<Uint8Array, Metadata> {
  try {
    return yield* messages;
  } catch (error) {
    end({ error });
    throw error;
  } finally {
    end();
  }
}
