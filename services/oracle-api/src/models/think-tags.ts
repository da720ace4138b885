import { z } from 'zod';
import type { ModelPart } from './language-model.js';

/** `on`: reads `<think>…</think>` at the start of the text. `open`: the text starts inside it, as some chat templates have it. */
export type ThinkTags = (typeof modes)[number];

const modes = ['on', 'open', 'off'] as const;

/** Entries `model=mode`; the mode of `*` is that of all other models. */
export const thinkTagModes = (entries: readonly string[], context: z.RefinementCtx): ReadonlyMap<string, ThinkTags> => {
  const read = entries.map((entry) => {
    const end = entry.lastIndexOf('=');
    return [
      entry.slice(0, Math.max(end, 0)).trim(),
      z.enum(modes).safeParse(entry.slice(end + 1).trim()).data,
    ] as const;
  });
  const isRead = (entry: readonly [string, ThinkTags | undefined]): entry is readonly [string, ThinkTags] =>
    entry[0] !== '' && entry[1] !== undefined;
  if (!read.every(isRead)) {
    const message = `must list a mode by model, such as deepseek-r1=open,gemma=off; modes are ${modes.join(', ')}`;
    context.addIssue({ code: 'custom', message });
  }
  return new Map(read.filter(isRead));
};

const opening = '<think>';
const closing = '</think>';

type DeltaPart = Extract<ModelPart, { type: 'text' | 'reasoning' }>;

/** Separates the thinking that a model writes into the start of its text from its answer, while both are streamed. */
export class ThinkTagReader {
  #state: 'start' | 'thinking' | 'after' | 'text';
  /** Text that may be the beginning of a tag. */
  #held = '';
  #hasThought = false;

  constructor(tags: ThinkTags) {
    this.#state = tags === 'off' ? 'text' : tags === 'open' ? 'thinking' : 'start';
  }

  read(delta: string): DeltaPart[] {
    if (this.#state === 'text') return deltaParts('text', delta);
    this.#held += delta;
    if (this.#state === 'start') return this.#readStart();
    return this.#state === 'thinking' ? this.#readThinking() : this.#readAfter();
  }

  /** The rest, once the text is complete. Thinking that is never closed stays thinking. */
  end(): DeltaPart[] {
    const rest = deltaParts(
      this.#state === 'thinking' ? 'reasoning' : 'text',
      this.#state === 'after' ? '' : this.#held,
    );
    this.#held = '';
    return rest;
  }

  #readStart(): DeltaPart[] {
    const text = this.#held.trimStart();
    if (text.length < opening.length && opening.startsWith(text)) return [];
    if (!text.startsWith(opening)) return this.#beginText(this.#held);
    this.#state = 'thinking';
    this.#held = text.slice(opening.length);
    return this.#readThinking();
  }

  #readThinking(): DeltaPart[] {
    if (!this.#hasThought) this.#held = this.#held.trimStart();
    const end = this.#held.indexOf(closing);
    if (end === -1) {
      const tagChars = tagBeginning(this.#held);
      const thought = this.#held.slice(0, this.#held.length - tagChars);
      this.#held = this.#held.slice(thought.length);
      this.#hasThought ||= thought !== '';
      return deltaParts('reasoning', thought);
    }
    const thought = this.#held.slice(0, end).trimEnd();
    this.#state = 'after';
    this.#held = this.#held.slice(end + closing.length);
    return [...deltaParts('reasoning', thought), ...this.#readAfter()];
  }

  #readAfter(): DeltaPart[] {
    const text = this.#held.trimStart();
    return text === '' ? [] : this.#beginText(text);
  }

  #beginText(text: string): DeltaPart[] {
    this.#state = 'text';
    this.#held = '';
    return deltaParts('text', text);
  }
}

/** Removes the thinking at the start of a text, also if the prompt contains the opening tag and the text only the closing one. */
export function withoutThinking(text: string): string {
  const end = text.lastIndexOf(closing);
  const answer = end === -1 ? text : text.slice(end + closing.length);
  const reader = new ThinkTagReader('on');
  return [...reader.read(answer), ...reader.end()].map((part) => (part.type === 'text' ? part.delta : '')).join('');
}

function deltaParts(type: DeltaPart['type'], delta: string): DeltaPart[] {
  return delta === '' ? [] : [{ type, delta }];
}

/** Characters at the end of a text that may be the beginning of the closing tag. */
function tagBeginning(text: string): number {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length--) {
    if (closing.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
