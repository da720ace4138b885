import type { ModelToolCall } from '../../models/language-model.js';
import { turnLimits } from '../fixed-limits.js';
import { canonicalJson } from './call-records.js';
import type { TurnTool } from './turn-tool.js';

/**
 * Stops loops of a model: refuses calls over the limits of a turn. With `turnLimits`, a step has at most 16 calls, and a tool is
 * refused after two calls with invalid arguments.
 */
export class CallGuard {
  readonly #made = new Map<string, number>();
  readonly #bad = new Map<string, number>();
  readonly #sameCalls: number;
  /** The steps with calls of each plugin. */
  readonly #steps = new Map<string, Set<number>>();
  #step = 0;
  #refused = 0;

  /** @param sameCalls maximum number of identical calls (`TURN_SAME_CALLS`) */
  constructor(sameCalls: number) {
    this.#sameCalls = sameCalls;
  }

  /** Whether the model has made too many refused calls (`turnLimits.refusals`, 3). */
  get isTripped(): boolean {
    return this.#refused >= turnLimits.refusals;
  }

  /** Later calls belong to the next step. */
  nextStep(): void {
    this.#step++;
  }

  /**
   * Why the call is refused, as text for the model; undefined when it is permitted.
   * @param tool its plugin, and its own limits
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

  /** Counts a call with invalid arguments. */
  countBad({ name }: ModelToolCall): void {
    this.#bad.set(name, (this.#bad.get(name) ?? 0) + 1);
  }
}
