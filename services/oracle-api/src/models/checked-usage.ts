import type { LanguageModel, ModelUsage } from './language-model.js';

/** Tokens of the largest window that a setting allows. */
const largestWindow = 10_000_000;

/**
 * Token numbers as an endpoint reported them. Undefined unless both are whole and between 0 and the context window of the model: such
 * numbers are never charged, the estimate counts instead.
 */
export function checkedUsage(
  usage: ModelUsage,
  { contextTokens = largestWindow }: Pick<LanguageModel, 'contextTokens'>,
): ModelUsage | undefined {
  const { inputTokens, outputTokens } = usage;
  const isValid = (tokens: unknown) =>
    Number.isInteger(tokens) && Number(tokens) >= 0 && Number(tokens) <= contextTokens;
  return isValid(inputTokens) && isValid(outputTokens) ? { inputTokens, outputTokens } : undefined;
}
