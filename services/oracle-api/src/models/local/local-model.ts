import type { LanguageModel, ModelPart, ModelRequest } from '../language-model.js';
import { respond } from './respond.js';

/**
 * The built-in model: fixed rules, no network, deterministic. It streams word by word, and emits thinking only before a tool call.
 *
 * @param options.paceMs pause before each word but the first, so that a stream reads like one; 0 for none.
 */
export function localModel(options: { paceMs: number }): LanguageModel {
  return {
    id: 'local',
    label: 'Built-in model',
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
      const response = respond(request);
      if (response.kind === 'call') {
        yield { type: 'reasoning', delta: response.why };
        yield { type: 'tool_call', call: response.call };
        return;
      }
      const pace = options.paceMs > 0 ? new Pace(options.paceMs, signal) : undefined;
      try {
        let isFirst = true;
        for (const delta of words(response.text)) {
          if (!isFirst) await pace?.pause();
          signal.throwIfAborted();
          isFirst = false;
          yield { type: 'text', delta };
        }
      } finally {
        pace?.close();
      }
    },
  };
}

/** Longest piece; a text without blanks is cut so that no single piece is large. */
const pieceChars = 64;

/** Cuts a text into words, each with the blanks that follow it; the joined words are the text. */
export function words(text: string): string[] {
  return (text.match(/\s+|\S+\s*/g) ?? []).flatMap(cut);
}

function cut(word: string): string[] {
  if (word.length <= pieceChars) return [word];
  const characters = [...word];
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += pieceChars) {
    pieces.push(characters.slice(start, start + pieceChars).join(''));
  }
  return pieces;
}

/** Pauses of one length within one answer. */
class Pace {
  readonly #signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #resume = () => this.#resolve();
  readonly #begin = (resolve: () => void) => {
    this.#resolve = resolve;
  };
  #resolve: () => void = () => undefined;

  constructor(paceMs: number, signal: AbortSignal) {
    this.#signal = signal;
    this.#timer = setTimeout(this.#resume, paceMs);
    signal.addEventListener('abort', this.#resume);
  }

  /** Resolves after the pause, or when the signal aborts. */
  pause(): Promise<void> {
    if (this.#signal.aborted) return Promise.resolve();
    this.#timer.refresh();
    return new Promise(this.#begin);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#resume);
  }
}
