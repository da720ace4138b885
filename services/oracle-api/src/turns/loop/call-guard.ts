import type { ModelToolCall } from '../../models/language-model.js';

/** How often the very same call is made in a turn. */
const sameCallLimit = 2;

/** How often a tool may be called with arguments that do not fit: once, and once more with what was wrong. */
const badCallLimit = 2;

/** Calls made in one step. */
const stepCallLimit = 16;

/** Keeps a model from going in circles: says which calls of a turn are not made, and why. */
export class CallGuard {
  readonly #made = new Map<string, number>();
  readonly #bad = new Map<string, number>();
  #refused = 0;

  /** Whether the model does nothing any more but what it was told not to do. */
  get isTripped(): boolean {
    return this.#refused >= 3;
  }

  /** Why the call is not made, in words for the model; undefined when it may be. */
  refusal(call: ModelToolCall, place: number): string | undefined {
    if (place >= stepCallLimit) return `Not called: at most ${stepCallLimit} calls are made at a time.`;
    if ((this.#bad.get(call.name) ?? 0) >= badCallLimit) {
      this.#refused++;
      return 'Not called: it was called twice with arguments that do not fit. Tell the user that this did not work.';
    }
    const key = `${call.name} ${canonical(call.args)}`;
    const made = (this.#made.get(key) ?? 0) + 1;
    this.#made.set(key, made);
    if (made <= sameCallLimit) return undefined;
    this.#refused++;
    return 'Not called: the same call was made before. Use what it gave back.';
  }

  /** The call had arguments that do not fit. */
  countBad({ name }: ModelToolCall): void {
    this.#bad.set(name, (this.#bad.get(name) ?? 0) + 1);
  }
}

/** JSON with the fields of objects in order, so that equal values are equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
