import type { LanguageModel, ModelPart, ModelRequest } from './language-model.js';
import { ModelError } from './model-error.js';
import { Places } from './places.js';

export interface ShareOptions {
  /** Requests of one user at the same time. */
  readonly atOnce: number;
  /** Requests of one user that may wait for their turn. */
  readonly waiting: number;
}

const tooMany = 'Too many of your messages are being answered. Please wait for one of them.';

/** Keeps one user from taking all there is of a provider: requests over the limit wait in line, up to a limit of their own. */
export class UserShares {
  readonly #options: ShareOptions;
  readonly #users = new Map<string, Places>();

  constructor(options: ShareOptions) {
    this.#options = options;
  }

  /** The model, of which each user has a share. Models of one endpoint go through one and the same `UserShares`. */
  of(model: LanguageModel): LanguageModel {
    return { ...model, stream: (request, signal) => this.#stream(model, request, signal) };
  }

  async *#stream(model: LanguageModel, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
    const { userId } = request;
    if (userId === undefined) return yield* model.stream(request, signal);
    const { atOnce, waiting } = this.#options;
    const places = this.#users.get(userId) ?? new Places(atOnce);
    this.#users.set(userId, places);
    if ((places.line ?? -1) >= waiting) throw new ModelError('rate_limit', tooMany, { retryable: true });
    const hasPlace = await places.enter(signal);
    try {
      if (!hasPlace) throw new Error('aborted while waiting', { cause: signal.reason });
      yield* model.stream(request, signal);
    } finally {
      if (hasPlace) places.leave();
      if (places.isEmpty) this.#users.delete(userId);
    }
  }
}
