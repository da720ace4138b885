import type { LanguageModel, ModelRequest } from './language-model.js';
import { ModelError } from './model-error.js';
import { wrapModel } from './wrap-model.js';

/** The whole text of an answer. Rejects when the model fails, when it says nothing, and when the signal aborts. */
export async function readText(model: LanguageModel, request: ModelRequest, signal: AbortSignal): Promise<string> {
  let text = '';
  for await (const part of wrapModel(model, { cutOffAtAbort: true }).stream(request, signal)) {
    if (part.type === 'text') text += part.delta;
  }
  signal.throwIfAborted();
  if (text.trim() === '') throw new ModelError('server', 'The model gave no answer.', { retryable: true });
  return text.trim();
}
