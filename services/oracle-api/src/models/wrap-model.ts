import type { LanguageModel, ModelPart } from './language-model.js';
import { ModelError } from './model-error.js';

/** Ends a model's stream with a timeout if the model is silent for `silenceMs`. Time that the reader takes does not count. */
export function limitSilence(model: LanguageModel, silenceMs: number): LanguageModel {
  return {
    ...model,
    async *stream(request, signal): AsyncIterable<ModelPart> {
      const stop = new AbortController();
      const parts = model.stream(request, AbortSignal.any([signal, stop.signal]))[Symbol.asyncIterator]();
      try {
        for (;;) {
          const next = await withinSilence(parts.next(), silenceMs);
          if (next.done === true) return;
          yield next.value;
        }
      } finally {
        stop.abort();
        parts.return?.().catch(() => undefined);
      }
    },
  };
}

function withinSilence<T>(work: Promise<T>, silenceMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new ModelError('timeout', 'The model took too long to answer.', { retryable: true }));
    }, silenceMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Reads a source until it ends or the signal aborts. A source that ignores the signal is abandoned: no part of it is yielded after
 * the abort, and its late failure is ignored.
 */
function untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new UntilAborted(source[Symbol.asyncIterator](), signal) };
}

const over = { done: true, value: undefined } as const;

/** Implemented without a generator, which would cost two more microtasks for each part of an answer. */
class UntilAborted<T> implements AsyncIterator<T, void> {
  readonly #source: AsyncIterator<T>;
  readonly #signal: AbortSignal;
  #isOver = false;
  #resolve: (next: IteratorResult<T, void>) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(source: AsyncIterator<T>, signal: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
    signal.addEventListener('abort', this.#leave);
  }

  async return(): Promise<IteratorResult<T, void>> {
    this.#leave();
    return over;
  }

  next(): Promise<IteratorResult<T, void>> {
    if (this.#signal.aborted) this.#leave();
    return this.#isOver ? Promise.resolve(over) : new Promise(this.#onNext);
  }

  readonly #onNext = (resolve: (next: IteratorResult<T, void>) => void, reject: (error: unknown) => void): void => {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#source.next().then(this.#pass, this.#fail);
  };

  readonly #pass = (next: IteratorResult<T>): void => {
    if (next.done === true) this.#end();
    this.#resolve(next);
  };

  readonly #fail = (error: unknown): void => {
    this.#end();
    this.#reject(error);
  };

  readonly #leave = (): void => {
    if (this.#isOver) return;
    this.#end();
    this.#resolve(over);
    this.#source.return?.().catch(() => undefined);
  };

  #end(): void {
    this.#isOver = true;
    this.#signal.removeEventListener('abort', this.#leave);
  }
}

/** Wraps a model: requests and parts pass through the wrapper. */
export type Wrap = (model: LanguageModel) => LanguageModel;

/** Optional wrappers of a model. */
export interface Wraps {
  /** Yields no part after the signal aborts, even if the model ignores the signal. */
  readonly cutOffAtAbort?: boolean;
  /** Counts usage of the oracle's own requests, all attempts together. */
  readonly count?: Wrap | undefined;
  /** Middlewares of plugins in a turn (`withMiddlewares`). They see each step once, and no retries. */
  readonly plugins?: Wrap | undefined;
  /** Calls take a permit of a pool, by user and by address (`shareModel`). A permit is held across all attempts. */
  readonly share?: Wrap | undefined;
  /** Retries before the first part of the answer (`retryBeforeAnswer`). */
  readonly retry?: Wrap | undefined;
  /** Another model replaces one that failed before its first part (`withFallback`). Each attempt tries all of them. */
  readonly fallback?: Wrap | undefined;
  /** A silent model times out (`limitSilence`), which permits another attempt. */
  readonly silence?: Wrap | undefined;
}

/** Wraps a model: the first wrapper of the list is the outermost. */
export function wrapModel(model: LanguageModel, wraps: Wraps): LanguageModel {
  const { cutOffAtAbort, count, plugins, share, retry, fallback, silence } = wraps;
  const fromOutside = [cutOffAtAbort === true ? cutOff : undefined, count, plugins, share, retry, fallback, silence];
  return fromOutside.reduceRight((inner, wrap) => wrap?.(inner) ?? inner, model);
}

function cutOff(model: LanguageModel): LanguageModel {
  return { ...model, stream: (request, signal) => untilAborted(model.stream(request, signal), signal) };
}
