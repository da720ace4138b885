import type { FastifyBaseLogger } from 'fastify';
import type { Logger } from 'pino';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type ChildOptions = Parameters<FastifyBaseLogger['child']>[1];

/**
 * The logger with children that are made once they have something to say. Fastify asks for one at each request, and most
 * requests say nothing; making one puts its fields through the redaction of secrets and into text. Those with options of their own, as
 * Fastify makes one for the app, are made at once, and have such children in turn.
 */
export function lazyRequestLoggers(logger: FastifyBaseLogger): FastifyBaseLogger {
  if (!isPino(logger)) return logger;
  const child = (bindings: Bindings, options?: ChildOptions): FastifyBaseLogger => {
    const isPlain = !options?.level && options?.serializers === undefined;
    return isPlain ? new LazyLogger(logger, bindings) : lazyRequestLoggers(logger.child(bindings, options));
  };
  // As pino's own children are: the parent's prototype chain, with one thing changed.
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
