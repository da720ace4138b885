import type { ModelPart, ModelRequest } from '../../models/language-model.js';
import { yieldedPart } from './returned-values.js';

type CallModel = (request: ModelRequest) => AsyncIterable<ModelPart>;

/**
 * The stream of a wrapped model. When the wrap itself fails, the stream goes on without it, from the first part that it
 * had read and not passed on. A failure of the model inside is the model's, and goes through. What `onFailure` throws ends it.
 */
export async function* failoverStream(
  request: ModelRequest,
  ask: CallModel,
  wrap: (request: ModelRequest, ask: CallModel) => AsyncIterable<ModelPart>,
  onFailure: (error: unknown) => void,
): AsyncGenerator<ModelPart, void> {
  const inside = new WrappedModel(ask);
  try {
    try {
      for await (const part of wrap(request, (asked) => inside.read(asked))) {
        const checked = yieldedPart(part);
        inside.heldBack.length = 0;
        yield checked;
      }
      return;
    } catch (error) {
      if (inside.failure?.error === error) throw error;
      onFailure(error);
    }
    if (!inside.isCalled) {
      yield* ask(request);
      return;
    }
    yield* inside.heldBack.splice(0);
    yield* inside.rest();
    // The wrap put an error of its own in the place of the model's.
    if (inside.failure !== undefined) throw inside.failure.error;
  } finally {
    inside.cancel();
  }
}

/** The model inside, as a wrap reads it. */
class WrappedModel {
  readonly heldBack: ModelPart[] = [];
  failure: { readonly error: unknown } | undefined;
  readonly #ask: CallModel;
  #parts: AsyncIterator<ModelPart> | undefined;
  #isEnded = false;

  constructor(ask: CallModel) {
    this.#ask = ask;
  }

  get isCalled(): boolean {
    return this.#parts !== undefined;
  }

  async *read(request: ModelRequest): AsyncGenerator<ModelPart, void> {
    this.cancel();
    this.failure = undefined;
    this.#parts = this.#ask(request)[Symbol.asyncIterator]();
    this.#isEnded = false;
    for await (const part of this.rest()) {
      this.heldBack.push(part);
      yield part;
    }
  }

  /** What has not been read yet. Leaving it early leaves the model where it is. */
  async *rest(): AsyncGenerator<ModelPart, void> {
    const parts = this.#parts;
    if (parts === undefined) return;
    try {
      while (!this.#isEnded) {
        const next = await parts.next();
        if (next.done === true) this.#isEnded = true;
        else yield next.value;
      }
    } catch (error) {
      this.#isEnded = true;
      this.failure = { error };
      throw error;
    }
  }

  cancel(): void {
    if (!this.#isEnded) this.#parts?.return?.()?.catch(() => undefined);
    this.#isEnded = true;
  }
}
