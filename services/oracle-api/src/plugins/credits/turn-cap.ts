import { estimatedUsage } from '../../agent/usage.js';
import type { ModelPart, ModelRequest } from '../../models/language-model.js';
import { estimateTokens } from '../../models/usage.js';
import type { PluginMiddlewares } from '../api/plugin-middlewares.js';
import type { CreditBoot } from './tables.js';

/** Written text is counted in pieces of so many characters. */
const countedChars = 256;

/**
 * Stops a turn before it takes more than `CREDITS_TURN_TOKENS`, with words that say so: before a step that would read too much,
 * and in the midst of one that writes too much. Steps count as their model counted them; one under way, by an estimate.
 *
 * @param unheld what a turn may take that holds nothing.
 */
export function turnCap(
  { own, config, logger }: Pick<CreditBoot, 'own' | 'config' | 'logger'>,
  unheld = config.CREDITS_TURN_TOKENS,
): PluginMiddlewares {
  const cap = config.CREDITS_TURN_TOKENS;
  const words = `I stop here: this answer has reached the ${cap} tokens that one answer may take of your credits.`;
  /** What each turn may still take, by what says that it is over. */
  const lefts = new WeakMap<AbortSignal, number>();

  /** A turn that has waited for its user goes on with what it has left. */
  const leftAtStart = async (runId: string) => {
    try {
      return (await own.heldFor(runId)) ?? unheld;
    } catch (err) {
      logger.warn({ err, runId }, 'what a turn may take is not known; it begins anew');
      return unheld;
    }
  };

  async function* wrapModel(
    request: ModelRequest,
    ask: (request: ModelRequest) => AsyncIterable<ModelPart>,
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
    for await (const part of ask(request)) {
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

/** How many tokens a text is about that comes in pieces. */
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
