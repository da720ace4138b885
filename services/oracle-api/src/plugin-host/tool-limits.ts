import type { PluginLimits } from '../plugin-kit/plugin-limits.js';
import type { PluginTool } from '../plugin-kit/plugin-tool.js';
import type { ToolAnswer } from '../plugin-kit/runtime-context.js';

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

  /** What the loop of a turn sees to. */
  ofLoop({ sameCalls: ofTool }: Pick<PluginTool, 'sameCalls'>): { sameCalls?: number; pluginSteps?: number } {
    const sameCalls = this.#set.sameCalls ?? ofTool ?? this.#own.sameCalls;
    const pluginSteps = this.#set.steps ?? this.#own.steps;
    return { ...(sameCalls && { sameCalls }), ...(pluginSteps && { pluginSteps }) };
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
