import type { ChainQuestion, ChainReader } from '../../engine/declarations.js';
import { pathOf, readReply } from './chain-question.js';

/** A chain that holds what it is given, as JSON by path; of anything else it has nothing. */
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
