import type { PluginLimits } from '../api/plugin-limits.js';
import type { PluginTool } from '../api/plugin-tool.js';
import type { ToolAnswer } from '../api/runtime-context.js';

const usedUp: ToolAnswer = {
  ok: false,
  error:
    'Not called: the tools of this plugin have had all the time that a turn has for them. Use what they gave back.',
};

/** What one plugin may take of one turn. */
export class ToolLimits {
  readonly #own: PluginLimits;
  readonly #set: PluginLimits;
  readonly #nowMs: () => number;
  #leftMs: number;

  /**
   * @param own what the plugin says of itself
   * @param set what whoever runs the oracle says of it
   */
  constructor(own: PluginLimits, set: PluginLimits, nowMs: () => number) {
    this.#own = own;
    this.#set = set;
    this.#nowMs = nowMs;
    this.#leftMs = (set.seconds ?? own.seconds ?? Number.POSITIVE_INFINITY) * 1_000;
  }

  /** How often the loop of a turn makes the very same call of a tool; undefined for as often as any. */
  sameCalls({ sameCalls: ofTool }: Pick<PluginTool, 'sameCalls'>): number | undefined {
    return (this.#set.sameCalls ?? ofTool ?? this.#own.sameCalls) || undefined;
  }

  /** In how many of its steps it calls tools of the plugin; undefined for all. */
  get pluginSteps(): number | undefined {
    return (this.#set.steps ?? this.#own.steps) || undefined;
  }

  /** Makes a call in what is left of the time. Never rejects, where `call` does not. */
  async within(call: (leftMs: number) => Promise<ToolAnswer>): Promise<ToolAnswer> {
    if (this.#leftMs <= 0) return usedUp;
    const begunMs = this.#nowMs();
    try {
      return await call(this.#leftMs);
    } finally {
      this.#leftMs -= this.#nowMs() - begunMs;
    }
  }
}
