import type { LanguageModel, ModelPart, ModelRequest } from './language-model.js';
import { ModelError } from './model-error.js';

/**
 * A model that is replaced by the next one when it fails before its first part, in the order of the list; never after it. The one that
 * answers says so before its answer.
 */
export function withFallback(models: readonly [LanguageModel, ...LanguageModel[]]): LanguageModel {
  const [first, ...others] = models;
  if (others.length === 0) return first;
  return { ...first, stream: (request, signal) => streamOfFirst(models, request, signal) };
}

async function* streamOfFirst(
  models: readonly LanguageModel[],
  request: ModelRequest,
  signal: AbortSignal,
): AsyncIterable<ModelPart> {
  const failed: { modelId: string; kind: ModelError['kind'] }[] = [];
  for (const [at, model] of models.entries()) {
    let hasBegun = false;
    try {
      for await (const part of model.stream(request, signal)) {
        if (!hasBegun && isOfAnswer(part)) {
          hasBegun = true;
          yield { type: 'answering', modelId: model.id, failed };
        }
        yield part;
      }
      return;
    } catch (error) {
      if (hasBegun || signal.aborted || at === models.length - 1) throw error;
      failed.push({ modelId: model.id, kind: error instanceof ModelError ? error.kind : 'unknown' });
    }
  }
}

/** Whether a part is something that was said: what a user or a tool has received is never answered a second time. */
export function isOfAnswer({ type }: ModelPart): boolean {
  return type === 'text' || type === 'reasoning' || type === 'tool_call';
}
