import { estimateTokens } from '../../models/estimate-tokens.js';
import type { ModelFile } from '../../models/language-model.js';

/** What was read of a file: text, whatever it was in, or an image. */
export type ReadFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mediaType: string; readonly bytes: Uint8Array };

/** A file as the model is shown it, its text cut to so many tokens. Pure. */
export function modelFile(filename: string, file: ReadFile, tokens: number): ModelFile {
  if (file.kind === 'image') return { filename, ...file };
  const text = headOf(file.text, tokens);
  return { filename, kind: 'text', text, leftChars: file.text.length - text.length };
}

/** The beginning of a text that has at most so many tokens, in whole characters. Pure. */
export function headOf(text: string, tokens: number): string {
  // A token is at most four characters by the estimate, so nothing behind that can fit.
  let head = text.slice(0, tokens * 4);
  for (let used = estimateTokens(head); used > tokens; used = estimateTokens(head)) {
    head = head.slice(0, Math.min(head.length - 1, Math.floor((head.length * tokens) / used)));
  }
  return /[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head;
}
