import { tracingChannel } from 'node:diagnostics_channel';
import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import type { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { type PostgresStatement, STATEMENTS } from '../database/postgres/report-statements.js';
import { redisTrouble } from '../errors/redis-trouble.js';
import { errorCodeOf } from '../errors/sql-errors.js';
import { systemCode } from '../errors/system-reason.js';

/** A call of a client. */
export interface ClientCall {
  readonly name: string;
  readonly attributes: Attributes;
  /** Sets a header of the call, to propagate the trace; absent if the server does not read it. */
  readonly carry?: (name: string, value: string) => void;
}

/** A client that publishes its calls on a tracing channel of Node.js, without cost while there is no subscriber. */
export interface ClientCalls<Message extends object> {
  readonly channel: string;
  readonly describe: (message: Message) => ClientCall;
  /** A low-cardinality name of a failure, such as a code. */
  readonly failureOf: (error: unknown) => string;
}

/**
 * Creates a client span for each call within an active span; none for background work. Returns a function that stops it.
 */
function channelSpans<Message extends object>(tracer: Tracer, calls: ClientCalls<Message>): () => void {
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

/** The command as ioredis reports it. The report also contains arguments, which are keys and values of users. */
interface RedisCommand {
  readonly command: string;
  readonly database: number;
  readonly serverAddress: string;
  readonly serverPort: number | undefined;
}

const redisCalls: ClientCalls<RedisCommand> = {
  channel: 'ioredis:command',
  describe: ({ command, database, serverAddress, serverPort }) => {
    const operation = command.toUpperCase();
    return {
      name: operation,
      attributes: {
        'db.system.name': 'redis',
        'db.operation.name': operation,
        'db.namespace': String(database),
        'server.address': serverAddress,
        ...(serverPort === undefined ? {} : { 'server.port': serverPort }),
      },
    };
  },
  // An error text of a server begins with its error code.
  failureOf: (error) => {
    if (!(error instanceof Error)) return '_OTHER';
    return systemCode(error) ?? redisTrouble(error) ?? /^[A-Z]+(?= )/.exec(error.message)?.[0] ?? error.name;
  },
};

const textLimit = 2_000;

const postgresCalls: ClientCalls<PostgresStatement> = {
  channel: STATEMENTS,
  describe: ({ text, server }) => {
    const { host, port, database } = server;
    const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
    const table = /\b(?:from|into|update)\s+"?(\w+)/i.exec(text)?.[1];
    const summary = table === undefined ? operation : `${operation} ${table}`;
    return {
      name: summary,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.namespace': database,
        'db.query.summary': summary,
        'db.query.text': text.slice(0, textLimit).replace(/'(?:[^']|'')*(?:'|$)/g, '?'),
        // With several hosts only the driver knows which one was used.
        ...(host.length === 1 ? { 'server.address': host[0], 'server.port': port[0] } : {}),
      },
    };
  },
  failureOf: (error) => errorCodeOf(error) ?? '_OTHER',
};

/** The call as `@mlango/grpc-channel` reports it. */
interface GrpcCall {
  readonly path: string;
  readonly target: string;
  readonly metadata: [name: string, value: string | Uint8Array][];
}

const grpcCalls: ClientCalls<GrpcCall> = {
  channel: 'mlango:grpc:call',
  describe: ({ path, target, metadata }) => {
    const method = path.slice(1);
    const [, host = target, port] = /^(.+):(\d+)$/.exec(target) ?? [];
    return {
      name: method,
      attributes: {
        'rpc.system.name': 'grpc',
        'rpc.method': method,
        'server.address': host,
        ...(port === undefined ? {} : { 'server.port': Number(port) }),
      },
      carry: (name, value) => {
        // A caller of this process may have passed one on.
        const existing = metadata.findIndex(([other]) => other === name);
        metadata.splice(existing === -1 ? metadata.length : existing, 1, [name, value]);
      },
    };
  },
  failureOf: (error) => {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    return typeof code === 'number' ? String(code) : '_OTHER';
  },
};

/** Records spans of this process's outgoing calls, until the returned function is called. */
export function clientSpans(provider: NodeTracerProvider, tracer: Tracer): () => void {
  const http = new UndiciInstrumentation({ requireParentforSpans: true });
  http.setTracerProvider(provider);
  const stops = [
    channelSpans(tracer, redisCalls),
    channelSpans(tracer, postgresCalls),
    channelSpans(tracer, grpcCalls),
    () => http.disable(),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
