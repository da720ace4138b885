import { tracingChannel } from 'node:diagnostics_channel';
import type { Tracer } from '@opentelemetry/api';
import { type Attributes, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** What a client tells of a call that it makes. */
export interface ToldCall {
  readonly name: string;
  readonly attributes: Attributes;
  /** Where the called find the trace they are part of; none where they do not look for it. */
  readonly carry?: (name: string, value: string) => void;
}

/** A client that tells of its calls over a tracing channel of Node.js, which costs it nothing while nobody listens. */
export interface ToldCalls<Message extends object> {
  readonly channel: string;
  readonly describe: (message: Message) => ToldCall;
  /** A name for a failure that few share, such as a code. */
  readonly failureOf: (error: unknown) => string;
}

/**
 * One client span for each call of a client, within what it is made for; none for what a process does for itself. What is returned ends it.
 */
export function channelSpans<Message extends object>(tracer: Tracer, calls: ToldCalls<Message>): () => void {
  const open = new WeakMap<object, Span>();
  const channel = tracingChannel<unknown, Message>(calls.channel);
  const listener = {
    start(message: Message) {
      if (trace.getActiveSpan() === undefined) return;
      const { name, attributes, carry } = calls.describe(message);
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
      open.set(message, span);
      if (carry === undefined) return;
      propagation.inject(trace.setSpan(context.active(), span), carry, { set: (to, key, value) => to(key, value) });
    },
    error(message: Message & { readonly error: unknown }) {
      const span = open.get(message);
      span?.setAttribute('error.type', calls.failureOf(message.error));
      span?.setStatus({ code: SpanStatusCode.ERROR });
    },
    asyncEnd(message: Message) {
      open.get(message)?.end();
    },
  };
  type Listener = Parameters<typeof channel.subscribe>[0];
  channel.subscribe(listener as Listener);
  return () => channel.unsubscribe(listener as Listener);
}
