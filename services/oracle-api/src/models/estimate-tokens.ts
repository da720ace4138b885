/**
 * About how many tokens a text is. Each model cuts texts its own way: Latin letters go about four to a token, other
 * writing one or two. Made to be too high rather than too low. Pure.
 */
export function estimateTokens(text: string): number {
  let others = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x24f) others++;
  return Math.ceil((text.length - others) / 3.5 + others);
}

/** The beginning of a text, of about so many tokens at most. Pure. */
export function cutToTokens(text: string, tokens: number): string {
  const all = estimateTokens(text);
  return all <= tokens ? text : text.slice(0, Math.floor((text.length * tokens) / all));
}
