import type { LanguageModel, ModelPart } from './language-model.js';
import { ModelError } from './model-error.js';

/** Gives up a model that says nothing for so long, at the beginning or in the midst. Time that its reader takes is not counted. */
export function limitSilence(model: LanguageModel, silenceMs: number): LanguageModel {
  return {
    ...model,
    async *stream(request, signal): AsyncIterable<ModelPart> {
      const stop = new AbortController();
      const parts = model.stream(request, AbortSignal.any([signal, stop.signal]))[Symbol.asyncIterator]();
      try {
        for (;;) {
          const next = await withinSilence(parts.next(), silenceMs);
          if (next.done === true) return;
          yield next.value;
        }
      } finally {
        stop.abort();
        parts.return?.().catch(() => undefined);
      }
    },
  };
}

function withinSilence<T>(work: Promise<T>, silenceMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new ModelError('timeout', 'The model took too long to answer.', { retryable: true }));
    }, silenceMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
