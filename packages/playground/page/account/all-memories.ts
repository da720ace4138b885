import type { IMemory, MemoryList } from '@mlango/oracle-client';

/** Limits of the oracle: memories in one response, and pages of one user. */
const pageSize = 100;
const pagesAtMost = 20;

/** Reads all memories, one page after another. Rejects when a page cannot be read. */
export async function allMemories(
  page: (part: { readonly limit: number; readonly offset: number }) => Promise<MemoryList>,
): Promise<IMemory[]> {
  const all = new Map<string, IMemory>();
  for (let at = 0; at < pagesAtMost; at += 1) {
    const { memories, total } = await page({ limit: pageSize, offset: at * pageSize });
    for (const memory of memories) all.set(memory.id, memory);
    if (memories.length === 0 || (at + 1) * pageSize >= total) break;
  }
  return [...all.values()];
}
