import type { LanguageModel, ModelPart, ModelRequest } from './language-model.js';
import { ModelError } from './model-error.js';

/**
 * Wraps models so that the next one in the list replaces a model that fails before its first part, never after it. The answering
 * model is reported before its answer.
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

/** Whether a part belongs to the answer: a part that a user or a tool has received is never repeated. */
export function isOfAnswer({ type }: ModelPart): boolean {
  return type === 'text' || type === 'reasoning' || type === 'tool_call';
}

export interface RetryOptions {
  /** Maximum number of attempts. */
  readonly attempts: number;
  /** Wait before the second attempt, in ms; doubled for each further one. */
  readonly firstWaitMs: number;
  /** If the provider requires a longer wait, there is no further attempt. */
  readonly longestWaitMs: number;
  /** Time after the start of the first attempt, in ms, in which further attempts may start. */
  readonly withinMs: number;
  readonly nowMs: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** From 0 to 1: spreads the retries of many requests. */
  readonly random: () => number;
}

/** Retries a model that failed before the first part of its answer. No part is repeated. */
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

/** Undefined: no further attempt. */
function waitAfter(error: unknown, attempt: number, options: RetryOptions): number | undefined {
  if (!(error instanceof ModelError) || !error.retryable || attempt >= options.attempts) return undefined;
  if (error.retryAfterMs !== undefined) {
    return error.retryAfterMs <= options.longestWaitMs ? error.retryAfterMs : undefined;
  }
  return options.firstWaitMs * 2 ** (attempt - 1) * (0.5 + options.random() / 2);
}
