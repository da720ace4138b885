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

export interface RetryOptions {
  /** Tries in all. */
  readonly attempts: number;
  /** Wait before the second try; doubled for each one after it. */
  readonly firstWaitMs: number;
  /** A provider that wants to be left alone for longer than this is not asked again. */
  readonly longestWaitMs: number;
  /** So long after the first try began nothing is tried again. */
  readonly withinMs: number;
  readonly nowMs: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** From 0 to 1: spreads the tries of many. */
  readonly random: () => number;
}

/** Asks a model again that failed before it said anything. What has been said is never said twice. */
export function retryBeforeAnswer(model: LanguageModel, options: RetryOptions): LanguageModel {
  return {
    ...model,
    async *stream(request, signal): AsyncIterable<ModelPart> {
      const begunMs = options.nowMs();
      for (let attempt = 1; ; attempt++) {
        let hasBegun = false;
        try {
          for await (const part of model.stream(request, signal)) {
            hasBegun ||= isOfAnswer(part);
            yield part;
          }
          return;
        } catch (error) {
          if (hasBegun || signal.aborted) throw error;
          const waitMs = waitAfter(error, attempt, options);
          const spentMs = options.nowMs() - begunMs;
          if (waitMs === undefined || spentMs + waitMs >= options.withinMs) throw error;
          await options.sleep(waitMs, signal);
        }
      }
    },
  };
}

/** Undefined: no further try. */
function waitAfter(error: unknown, attempt: number, options: RetryOptions): number | undefined {
  if (!(error instanceof ModelError) || !error.retryable || attempt >= options.attempts) return undefined;
  if (error.retryAfterMs !== undefined) {
    return error.retryAfterMs <= options.longestWaitMs ? error.retryAfterMs : undefined;
  }
  return options.firstWaitMs * 2 ** (attempt - 1) * (0.5 + options.random() / 2);
}
