import type { ModelToolCall } from '../../models/language-model.js';
import { canonicalJson } from '../calls/canonical-json.js';
import { turnLimits } from '../turn-limits.js';

/**
 * Keeps a model from going in circles: says which calls of a turn are not made, and why. As `turnLimits` has them, a step has 16
 * calls, and one whose arguments do not fit is made twice.
 */
export class CallGuard {
  readonly #made = new Map<string, number>();
  readonly #bad = new Map<string, number>();
  readonly #sameCalls: number;
  #refused = 0;

  /** @param sameCalls how often the very same call is made (`TURN_SAME_CALLS`). */
  constructor(sameCalls: number) {
    this.#sameCalls = sameCalls;
  }

  /** Whether the model does nothing any more but what it was told not to do: three times (`turnLimits.refusals`). */
  get isTripped(): boolean {
    return this.#refused >= turnLimits.refusals;
  }

  /**
   * Why the call is not made, in words for the model; undefined when it may be.
   *
   * @param sameCalls how often the very same call of this tool is made, where the tool says that itself.
   */
  refusal(call: ModelToolCall, place: number, sameCalls = this.#sameCalls): string | undefined {
    if (place >= turnLimits.callsOfStep)
      return `Not called: at most ${turnLimits.callsOfStep} calls are made at a time.`;
    if ((this.#bad.get(call.name) ?? 0) >= turnLimits.badCalls) {
      this.#refused++;
      return 'Not called: it was called twice with arguments that do not fit. Tell the user that this did not work.';
    }
    const key = `${call.name} ${canonicalJson(call.args)}`;
    const made = (this.#made.get(key) ?? 0) + 1;
    this.#made.set(key, made);
    if (made <= sameCalls) return undefined;
    this.#refused++;
    return 'Not called: the same call was made before. Use what it gave back.';
  }

  /** The call had arguments that do not fit. */
  countBad({ name }: ModelToolCall): void {
    this.#bad.set(name, (this.#bad.get(name) ?? 0) + 1);
  }
}
