import type { UsageMeter } from './turn-usage.js';

/** What is needed of the metrics of a process. */
export interface TokenCounters {
  counter(options: { name: string; help: string; labelNames: ('model' | 'direction')[] }): {
    inc(labels: { model: string; direction: 'in' | 'out' }, count: number): void;
  };
}

/** Counts the tokens that models took, by model and direction. Models are few: the ones that are configured. */
export function countTokens(metrics: TokenCounters): UsageMeter {
  const tokens = metrics.counter({
    name: 'oracle_model_tokens_total',
    help: 'Tokens that turns took, read by models (in) and written by them (out).',
    labelNames: ['model', 'direction'],
  });
  return {
    record: ({ modelId: model, inputTokens, outputTokens }) => {
      tokens.inc({ model, direction: 'in' }, inputTokens);
      tokens.inc({ model, direction: 'out' }, outputTokens);
    },
  };
}
