import type { LanguageModel, ModelPart, ModelRequest } from './language-model.js';
import { ModelError } from './model-error.js';

export interface ShareOptions {
  /** Requests of one user at the same time. */
  readonly atOnce: number;
  /** Requests of one user that may wait for their turn. */
  readonly waiting: number;
}

/** Keeps one user from taking all there is of a provider: requests over the limit wait in line, up to a limit of their own. */
export class UserShares {
  readonly #options: ShareOptions;
  readonly #users = new Map<string, { running: number; waiting: Set<() => void> }>();

  constructor(options: ShareOptions) {
    this.#options = options;
  }

  /** The model, of which each user has a share. Models of one endpoint go through one and the same `UserShares`. */
  of(model: LanguageModel): LanguageModel {
    return { ...model, stream: (request, signal) => this.#stream(model, request, signal) };
  }

  async *#stream(model: LanguageModel, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
    if (request.userId === undefined) return yield* model.stream(request, signal);
    const leave = await this.#enter(request.userId, signal);
    try {
      yield* model.stream(request, signal);
    } finally {
      leave();
    }
  }

  async #enter(userId: string, signal: AbortSignal): Promise<() => void> {
    const user = this.#users.get(userId) ?? { running: 0, waiting: new Set() };
    this.#users.set(userId, user);
    if (user.running < this.#options.atOnce) user.running++;
    else if (user.waiting.size >= this.#options.waiting) throw tooMany();
    // Whoever leaves hands the place on, so the count stays as it is.
    else await placeHandedOver(user.waiting, signal);
    return () => {
      const next = user.waiting.values().next();
      if (next.done !== true) return next.value();
      user.running--;
      if (user.running === 0) this.#users.delete(userId);
    };
  }
}

function placeHandedOver(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onPlace = () => {
      waiting.delete(onPlace);
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = () => {
      waiting.delete(onPlace);
      reject(new Error('aborted while waiting', { cause: signal.reason }));
    };
    waiting.add(onPlace);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

function tooMany(): ModelError {
  return new ModelError('rate_limit', 'Too many of your messages are being answered. Please wait for one of them.', {
    retryable: true,
  });
}
