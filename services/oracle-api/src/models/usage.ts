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
 * About how many tokens a text is. Each model cuts texts its own way: Latin letters go about four to a token, other
 * writing one or two. Made to be too high rather than too low. Pure.
 */
export function estimateTokens(text: string): number {
  // Looked for before they are counted: most texts have none, and a turn estimates all that its model reads.
  if (!beyondLatin.test(text)) return Math.ceil(text.length / 3.5);
  let others = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x24f) others++;
  return Math.ceil((text.length - others) / 3.5 + others);
}

/** The beginning of a text that has at most so many tokens, in whole characters. Pure. */
export function cutToTokens(text: string, tokens: number): string {
  // A token is at most four characters by the estimate, so nothing behind that can fit.
  let head = text.slice(0, tokens * 4);
  for (let used = estimateTokens(head); used > tokens; used = estimateTokens(head)) {
    head = head.slice(0, Math.min(head.length - 1, Math.floor((head.length * tokens) / used)));
  }
  return /[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head;
}
