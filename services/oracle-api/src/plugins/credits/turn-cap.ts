import { estimatedUsage } from '../../agent/usage.js';
import type { ModelPart, ModelRequest } from '../../models/language-model.js';
import { estimateTokens } from '../../models/usage.js';
import type { PluginMiddlewares } from '../api/plugin-middlewares.js';
import type { CreditBoot } from './tables.js';

/** Written text is counted in pieces of this many characters. */
const countedChars = 256;

/**
 * Stops a turn before its usage exceeds `CREDITS_TURN_TOKENS`, with an explanation: before a step that would read too much, and
 * during a step that writes too much. Completed steps count as the model reports them, the current one by an estimate.
 *
 * @param unheld limit of a turn without a hold.
 */
export function turnCap(
  { own, config, logger }: Pick<CreditBoot, 'own' | 'config' | 'logger'>,
  unheld = config.CREDITS_TURN_TOKENS,
): PluginMiddlewares {
  const cap = config.CREDITS_TURN_TOKENS;
  const words = `I stop here: this answer has reached the ${cap} tokens of credits that one answer can use.`;
  /** Remaining tokens of each turn, by the turn's `over` signal. */
  const lefts = new WeakMap<AbortSignal, number>();

  /** A resumed turn continues with its remaining tokens. */
  const leftAtStart = async (runId: string) => {
    try {
      return (await own.heldFor(runId)) ?? unheld;
    } catch (err) {
      logger.warn({ err, runId }, 'tokens used by the turn unknown, counting from zero');
      return unheld;
    }
  };

  async function* wrapModel(
    request: ModelRequest,
    callModel: (request: ModelRequest) => AsyncIterable<ModelPart>,
    { over, session }: { readonly over: AbortSignal; readonly session: { readonly runId: string } },
  ): AsyncGenerator<ModelPart, void> {
    const left = lefts.get(over) ?? (await leftAtStart(session.runId));
    const { inputTokens } = estimatedUsage(request, '');
    const written = new Written();
    const isReached = () => inputTokens + written.tokens + estimateTokens(words) >= left;
    if (isReached()) {
      yield { type: 'text', delta: words };
      yield { type: 'cut' };
      yield { type: 'usage', usage: { inputTokens: 0, outputTokens: 0 } };
      return;
    }
    let took: number | undefined;
    for await (const part of callModel(request)) {
      yield part;
      if (part.type === 'usage') took = part.usage.inputTokens + part.usage.outputTokens;
      else if (part.type === 'tool_call') written.add(part.call.name + JSON.stringify(part.call.args));
      else if (part.type === 'text' || part.type === 'reasoning') written.add(part.delta);
      if (took === undefined && isReached()) {
        yield { type: 'text', delta: `\n\n${words}` };
        yield { type: 'cut' };
        break;
      }
    }
    lefts.set(over, left - (took ?? inputTokens + written.tokens));
  }
  return { wrapModel };
}

/** Estimates the tokens of a text that arrives in pieces. */
class Written {
  #counted = 0;
  #rest = '';

  get tokens(): number {
    return this.#counted + estimateTokens(this.#rest);
  }

  add(text: string): void {
    this.#rest += text;
    if (this.#rest.length < countedChars) return;
    this.#counted += estimateTokens(this.#rest);
    this.#rest = '';
  }
}
