import type { ChainQuestion, ChainReader } from '../../engine/declarations.js';
import { pathOf, readReply } from './chain-question.js';

/** A chain with the given entries, as JSON by path. */
export class MemoryChainReader implements ChainReader {
  readonly #replies: Readonly<Record<string, unknown>>;

  constructor(replies: Readonly<Record<string, unknown>>) {
    this.#replies = replies;
  }

  async read<Answer>(question: ChainQuestion<Answer>): Promise<Answer | undefined> {
    const path = pathOf(question);
    if (path === undefined || !Object.hasOwn(this.#replies, path)) return undefined;
    return readReply({ status: 200, text: JSON.stringify(this.#replies[path]) }, question);
  }
}
