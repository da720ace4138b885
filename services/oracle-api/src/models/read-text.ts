import type { LanguageModel, ModelRequest } from './language-model.js';
import { ModelError } from './model-error.js';
import { withoutThinking } from './think-tags.js';
import { wrapModel } from './wrap-model.js';

/**
 * Reads the whole text of an answer, without thinking written into it. Rejects if the model fails, if the text is empty, and if the
 * signal aborts.
 */
export async function readText(model: LanguageModel, request: ModelRequest, signal: AbortSignal): Promise<string> {
  let text = '';
  for await (const part of wrapModel(model, { cutOffAtAbort: true }).stream(request, signal)) {
    if (part.type === 'text') text += part.delta;
  }
  signal.throwIfAborted();
  const answer = withoutThinking(text).trim();
  if (answer === '') throw new ModelError('server', 'The model gave no answer.', { retryable: true });
  return answer;
}
