import type { FastifyBaseLogger } from 'fastify';
import type { Logger } from 'pino';
import type { HttpApp } from './http-app-type.js';
import { wasShed } from './load-shedding.js';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type ChildOptions = Parameters<FastifyBaseLogger['child']>[1];

/**
 * A logger with children that are created at their first line. Fastify creates one for each request, most of which log nothing,
 * and each creation redacts and serializes its fields. Children with options, such as the app's, are created at once.
 */
export function lazyRequestLoggers(logger: FastifyBaseLogger): FastifyBaseLogger {
  if (!isPino(logger)) return logger;
  const child = (bindings: Bindings, options?: ChildOptions): FastifyBaseLogger => {
    const isPlain = !options?.level && options?.serializers === undefined;
    return isPlain ? new LazyLogger(logger, bindings) : lazyRequestLoggers(logger.child(bindings, options));
  };
  // Like pino's own children: an object with the parent as prototype.
  return Object.create(logger, { child: { value: child } }) as FastifyBaseLogger;
}

function isPino(logger: FastifyBaseLogger): logger is Logger {
  return 'isLevelEnabled' in logger;
}

const ignore = (): void => {};

class LazyLogger implements FastifyBaseLogger {
  readonly #parent: Logger;
  readonly #bindings: Bindings;
  #own: Logger | undefined;

  constructor(parent: Logger, bindings: Bindings) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get fatal() {
    return this.#method('fatal');
  }

  get error() {
    return this.#method('error');
  }

  get warn() {
    return this.#method('warn');
  }

  get info() {
    return this.#method('info');
  }

  get debug() {
    return this.#method('debug');
  }

  get trace() {
    return this.#method('trace');
  }

  get silent() {
    return ignore;
  }

  get level() {
    return (this.#own ?? this.#parent).level;
  }

  set level(level: string) {
    this.#made().level = level;
  }

  child(bindings: Bindings, options?: ChildOptions): FastifyBaseLogger {
    return this.#made().child(bindings, options);
  }

  #method(level: Level): Logger[Level] {
    if (!(this.#own ?? this.#parent).isLevelEnabled(level)) return ignore;
    const own = this.#made();
    return own[level].bind(own);
  }

  #made(): Logger {
    this.#own ??= this.#parent.child(this.#bindings);
    return this.#own;
  }
}

/**
 * One line for each reply: method, route pattern, status, milliseconds. Never the URL: query strings and path parameters contain
 * secrets and phone numbers. Probes, and requests shed for overload, are logged at debug only.
 */
export function logReplies(app: HttpApp): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route = 'unmatched', config } = request.routeOptions;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const line = { reqId: request.id, method: request.method, route, status: reply.statusCode, ms };
    // Not the request's own logger, which most requests would create for this line only.
    if (config?.probe === true) app.log.debug(line, 'probe');
    else if (wasShed(request)) app.log.debug(line, 'shed');
    else app.log.info(line, 'request');
    done();
  });
}
