import type { ModelToolCall } from '../../models/language-model.js';
import { turnLimits } from '../limits.js';
import { canonicalJson } from './call-records.js';
import type { TurnTool } from './turn-tool.js';

/**
 * Keeps a model from going in circles: says which calls of a turn are not made, and why. As `turnLimits` has them, a step has 16
 * calls, and one whose arguments do not fit is made twice.
 */
export class CallGuard {
  readonly #made = new Map<string, number>();
  readonly #bad = new Map<string, number>();
  readonly #sameCalls: number;
  /** By plugins: the steps in which tools of theirs were called. */
  readonly #steps = new Map<string, Set<number>>();
  #step = 0;
  #refused = 0;

  /** @param sameCalls how often the very same call is made (`TURN_SAME_CALLS`). */
  constructor(sameCalls: number) {
    this.#sameCalls = sameCalls;
  }

  /** Whether the model does nothing any more but what it was told not to do: three times (`turnLimits.refusals`). */
  get isTripped(): boolean {
    return this.#refused >= turnLimits.refusals;
  }

  /** The calls after this are those of the next step. */
  nextStep(): void {
    this.#step++;
  }

  /**
   * Why the call is not made, in words for the model; undefined when it may be.
   *
   * @param tool whose it is, with what holds for it alone
   */
  refusal(
    call: ModelToolCall,
    place: number,
    tool?: Pick<TurnTool, 'plugin' | 'sameCalls' | 'pluginSteps'>,
  ): string | undefined {
    if (place >= turnLimits.callsOfStep)
      return `Not called: at most ${turnLimits.callsOfStep} calls are made at a time.`;
    if ((this.#bad.get(call.name) ?? 0) >= turnLimits.badCalls) {
      this.#refused++;
      return 'Not called: it was called twice with arguments that do not fit. Tell the user that this did not work.';
    }
    if (tool !== undefined && !this.#mayStep(tool)) {
      this.#refused++;
      return `Not called: tools of ${tool.plugin} are called in at most ${tool.pluginSteps} steps of a turn. Use what they gave back.`;
    }
    const key = `${call.name} ${canonicalJson(call.args)}`;
    const made = (this.#made.get(key) ?? 0) + 1;
    this.#made.set(key, made);
    if (made <= (tool?.sameCalls ?? this.#sameCalls)) return undefined;
    this.#refused++;
    return 'Not called: the same call was made before. Use what it gave back.';
  }

  #mayStep({ plugin, pluginSteps = Number.POSITIVE_INFINITY }: Pick<TurnTool, 'plugin' | 'pluginSteps'>): boolean {
    const steps = this.#steps.get(plugin) ?? new Set();
    if (!steps.has(this.#step) && steps.size >= pluginSteps) return false;
    this.#steps.set(plugin, steps.add(this.#step));
    return true;
  }

  /** The call had arguments that do not fit. */
  countBad({ name }: ModelToolCall): void {
    this.#bad.set(name, (this.#bad.get(name) ?? 0) + 1);
  }
}
