import type { MemoryRecord } from '@mlango/schemas/oracle-memories';
import type { Memory } from './recall-store.js';

/** A memory as clients and the model are shown it. */
export function recalled({ memoryId, createdAt, ...memory }: Memory): MemoryRecord {
  return { id: memoryId, ...memory, createdAt: createdAt.toISOString() };
}
