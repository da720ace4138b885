import { type Memory, memoryLimit, type RecallStore } from './recall-store.js';

/** In-memory memories, for tests of code that depends on the port. */
export class MemoryRecallStore implements RecallStore {
  readonly #memories = new Map<string, Memory[]>();

  async add(ownerDid: string, memory: Memory): Promise<'added' | 'full'> {
    const kept = this.#of(ownerDid);
    if (kept.length >= memoryLimit) return 'full';
    this.#memories.set(ownerDid, [memory, ...kept]);
    return 'added';
  }

  async search(ownerDid: string, query: string, limit: number): Promise<Memory[]> {
    const wanted = wordsOf(query);
    const score = ({ title = '', content }: Memory) =>
      wordsOf(`${title} ${content}`).filter((word) => wanted.includes(word)).length;
    return this.#of(ownerDid)
      .map((memory) => ({ memory, hits: score(memory) }))
      .filter(({ hits }) => hits > 0)
      .sort((one, other) => other.hits - one.hits)
      .slice(0, limit)
      .map(({ memory }) => memory);
  }

  async find(ownerDid: string, memoryId: string): Promise<Memory | undefined> {
    return this.#of(ownerDid).find((memory) => memory.memoryId === memoryId);
  }

  async list(ownerDid: string, { limit, offset }: { limit: number; offset: number }) {
    const kept = this.#of(ownerDid);
    return { memories: kept.slice(offset, offset + limit), total: kept.length };
  }

  async remove(ownerDid: string, memoryId: string): Promise<boolean> {
    const kept = this.#of(ownerDid);
    const rest = kept.filter((memory) => memory.memoryId !== memoryId);
    this.#memories.set(ownerDid, rest);
    return rest.length < kept.length;
  }

  async removeAll(ownerDid: string): Promise<number> {
    const { length } = this.#of(ownerDid);
    this.#memories.delete(ownerDid);
    return length;
  }

  #of(ownerDid: string): Memory[] {
    return this.#memories.get(ownerDid) ?? [];
  }
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
