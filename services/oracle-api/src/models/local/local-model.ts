import { setTimeout as sleep } from 'node:timers/promises';
import type { LanguageModel, ModelPart, ModelRequest } from '../language-model.js';
import { respond } from './respond.js';

/** The built-in model for development and tests: fixed rules, no network. `paceMs`: pause before each word but the first. */
export function localModel({ paceMs }: { readonly paceMs: number }): LanguageModel {
  return {
    id: 'local',
    label: 'Built-in model',
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
      const response = respond(request);
      if (response.kind === 'call') {
        yield { type: 'reasoning', delta: response.reason };
        yield { type: 'tool_call', call: response.call };
        return;
      }
      for (const [index, delta] of words(response.text).entries()) {
        if (index > 0 && paceMs > 0) await sleep(paceMs, undefined, { signal }).catch(() => undefined);
        signal.throwIfAborted();
        yield { type: 'text', delta };
      }
    },
  };
}

/** A text in words with the blanks after them; long words are cut. */
export const words = (text: string): string[] => text.match(/\s+|\S{1,64}\s*/gu) ?? [];
