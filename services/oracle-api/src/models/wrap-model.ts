import type { LanguageModel, ModelPart } from './language-model.js';
import { ModelError } from './model-error.js';

/** Gives up a model that says nothing for so long, at the beginning or in the midst. Time that its reader takes is not counted. */
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
 * Reads a source until it ends or the signal aborts. A source that ignores the signal is left behind, not waited for:
 * nothing of it shows after the abort, and its late failure is swallowed.
 */
function untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new UntilAborted(source[Symbol.asyncIterator](), signal) };
}

const over = { done: true, value: undefined } as const;

/** By hand, since each of the many parts of an answer passes here, and a generator costs it two more turns of the queue. */
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
    return this.#isOver ? Promise.resolve(over) : new Promise(this.#ask);
  }

  readonly #ask = (resolve: (next: IteratorResult<T, void>) => void, reject: (error: unknown) => void): void => {
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

/** Puts something around a model: what is asked of it, and what it says, goes through it. */
export type Wrap = (model: LanguageModel) => LanguageModel;

/** What may stand around a model. */
export interface Wraps {
  /** Nothing of the model shows once the signal aborts, whether it heeds that or not. */
  readonly cutOffAtAbort?: boolean;
  /** What the oracle asks of itself is counted, all tries together (`turns/after/count-tokens`). */
  readonly count?: Wrap | undefined;
  /** What plugins put around the model in a turn (`plugin-host/around-model`). They see each step once, and no second try. */
  readonly plugins?: Wrap | undefined;
  /** Calls take places of a pool, by user and by address (`share-model`). A place is held over all tries. */
  readonly share?: Wrap | undefined;
  /** A second try, as long as nothing was said (`retry-before-answer`). */
  readonly retry?: Wrap | undefined;
  /** Another model answers in place of one that failed before it said anything (`fallback`). Each try asks all of them. */
  readonly fallback?: Wrap | undefined;
  /** A model that says nothing for too long is given up (`limit-silence`): then another try may begin. */
  readonly silence?: Wrap | undefined;
}

/** A model with what stands around it: the first of the list is the outermost. */
export function wrapModel(model: LanguageModel, wraps: Wraps): LanguageModel {
  const { cutOffAtAbort, count, plugins, share, retry, fallback, silence } = wraps;
  const fromOutside = [cutOffAtAbort === true ? cutOff : undefined, count, plugins, share, retry, fallback, silence];
  return fromOutside.reduceRight((inner, wrap) => wrap?.(inner) ?? inner, model);
}

function cutOff(model: LanguageModel): LanguageModel {
  return { ...model, stream: (request, signal) => untilAborted(model.stream(request, signal), signal) };
}
