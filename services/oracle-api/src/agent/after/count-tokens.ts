import { checkedUsage } from '../../models/checked-usage.js';
import type { LanguageModel, ModelUsage } from '../../models/language-model.js';
import { estimatedUsage, type MeteredTurn } from './turn-usage.js';

/** `answer`: what users asked for. `upkeep`: titles and summaries, which nobody is charged for. */
export type TokenPurpose = 'answer' | 'upkeep';

/** What is needed of the metrics of a process. */
export interface TokenCounters {
  counter(options: { name: string; help: string; labelNames: ('model' | 'direction' | 'purpose')[] }): {
    inc(labels: { model: string; direction: 'in' | 'out'; purpose: TokenPurpose }, count: number): void;
  };
}

export interface TokenCount {
  answer(turn: MeteredTurn): void;
  /** The model, what it takes counted as upkeep: no meter hears of it, so no user pays for it. */
  upkeep(model: LanguageModel): LanguageModel;
}

/** Counts the tokens that models took, by model, direction and purpose. Models are few: the ones that are configured. */
export function countTokens(metrics: TokenCounters): TokenCount {
  const tokens = metrics.counter({
    name: 'oracle_model_tokens_total',
    help: 'Tokens read by models (in) and written by them (out), for answers and for titles and summaries (upkeep).',
    labelNames: ['model', 'direction', 'purpose'],
  });
  const count = (model: string, purpose: TokenPurpose, { inputTokens, outputTokens }: ModelUsage) => {
    tokens.inc({ model, direction: 'in', purpose }, inputTokens);
    tokens.inc({ model, direction: 'out', purpose }, outputTokens);
  };
  return {
    answer: (turn) => count(turn.modelId, 'answer', turn),
    upkeep: (model) => reporting(model, (usage) => count(model.id, 'upkeep', usage)),
  };
}

/** Says what each request took, once: as the model counted it, else by an estimate; nothing for one that was refused. */
function reporting(model: LanguageModel, report: (usage: ModelUsage) => void): LanguageModel {
  return {
    ...model,
    async *stream(request, signal) {
      let said = '';
      let counted: ModelUsage | undefined;
      try {
        for await (const part of model.stream(request, signal)) {
          if (part.type === 'usage') counted = checkedUsage(part.usage, model) ?? counted;
          else if (part.type === 'text' || part.type === 'reasoning') said += part.delta;
          yield part;
        }
      } finally {
        if (counted !== undefined || said !== '') report(counted ?? estimatedUsage(request, said));
      }
    },
  };
}
