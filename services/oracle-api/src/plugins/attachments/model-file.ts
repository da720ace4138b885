import { cutToTokens } from '../../models/estimate-tokens.js';
import type { ModelFile } from '../../models/language-model.js';
import type { MediaKind } from '../../models/media.js';

/** What was read of a file: its text, or the file itself for a model that accepts it. */
export type ReadFile =
  | { readonly kind: 'text'; readonly text: string; readonly isSpoken?: true }
  | { readonly kind: MediaKind; readonly mediaType: string; readonly bytes: Uint8Array };

/** A file as the model is shown it, its text cut to so many tokens. Pure. */
export function modelFile(filename: string, file: ReadFile, tokens: number): ModelFile {
  if (file.kind !== 'text') return { filename, ...file };
  const text = cutToTokens(file.text, tokens);
  return { filename, ...file, text, leftChars: file.text.length - text.length };
}
