import type { ModelPart, ModelRequest } from '../../models/language-model.js';
import { yieldedPart } from './returned-values.js';

type CallModel = (request: ModelRequest) => AsyncIterable<ModelPart>;

/**
 * The stream of a wrapped model. If the wrapper fails, the stream continues without it, from the first part that the wrapper
 * read and did not yield. A failure of the inner model is rethrown. An error thrown by `onFailure` ends the stream.
 */
export async function* failoverStream(
  request: ModelRequest,
  callModel: CallModel,
  wrap: (request: ModelRequest, callModel: CallModel) => AsyncIterable<ModelPart>,
  onFailure: (error: unknown) => void,
): AsyncGenerator<ModelPart, void> {
  const inside = new WrappedModel(callModel);
  try {
    try {
      for await (const part of wrap(request, (changed) => inside.read(changed))) {
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
      yield* callModel(request);
      return;
    }
    yield* inside.heldBack.splice(0);
    yield* inside.rest();
    // The wrapper replaced the error of the model.
    if (inside.failure !== undefined) throw inside.failure.error;
  } finally {
    inside.cancel();
  }
}

/** The inner model as its wrapper reads it. */
class WrappedModel {
  readonly heldBack: ModelPart[] = [];
  failure: { readonly error: unknown } | undefined;
  readonly #callModel: CallModel;
  #parts: AsyncIterator<ModelPart> | undefined;
  #isEnded = false;

  constructor(callModel: CallModel) {
    this.#callModel = callModel;
  }

  get isCalled(): boolean {
    return this.#parts !== undefined;
  }

  async *read(request: ModelRequest): AsyncGenerator<ModelPart, void> {
    this.cancel();
    this.failure = undefined;
    this.#parts = this.#callModel(request)[Symbol.asyncIterator]();
    this.#isEnded = false;
    for await (const part of this.rest()) {
      this.heldBack.push(part);
      yield part;
    }
  }

  /** The unread parts. Stopping early does not cancel the model. */
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
