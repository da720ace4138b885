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

const beyondLatin = /[\u0250-\uffff]/;

/**
 * Estimates the tokens of a text. Tokenizers differ: about four Latin letters to a token, one or two characters of other scripts. The
 * estimate is rather too high than too low. Pure.
 */
export function estimateTokens(text: string): number {
  // Tested before counting: most texts have none, and a turn estimates all texts that its model reads.
  if (!beyondLatin.test(text)) return Math.ceil(text.length / 3.5);
  let others = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x24f) others++;
  return Math.ceil((text.length - others) / 3.5 + others);
}

/** Cuts a text to at most a number of tokens, in whole characters. Pure. */
export function cutToTokens(text: string, tokens: number): string {
  // A token is at most four characters by the estimate, so the rest cannot fit.
  let head = text.slice(0, tokens * 4);
  for (let used = estimateTokens(head); used > tokens; used = estimateTokens(head)) {
    head = head.slice(0, Math.min(head.length - 1, Math.floor((head.length * tokens) / used)));
  }
  return /[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head;
}
