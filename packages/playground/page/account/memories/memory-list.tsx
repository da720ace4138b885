import type { IMemory } from '@mlango/oracle-client';
import { saidDay } from '../parts/said-day.js';

interface MemoryListProps {
  readonly memories: readonly IMemory[];
  readonly isBusy: boolean;
  readonly onForget: (memory: IMemory) => void;
}

export function MemoryList({ memories, isBusy, onForget }: MemoryListProps) {
  return (
    <ul className="rows" aria-label="Memories">
      {memories.map((memory) => (
        <li key={memory.id}>
          <div>
            {memory.title === undefined ? null : <strong className="break">{memory.title}</strong>}
            <p className="memory-content break">{memory.content}</p>
            <p className="quiet small">
              {memory.kind === 'artifact' ? 'Made for you, ' : ''}
              {saidDay(memory.createdAt)}
            </p>
          </div>
          <button
            type="button"
            className="tight"
            aria-label={`Forget: ${(memory.title ?? memory.content).slice(0, 60)}`}
            disabled={isBusy}
            onClick={() => onForget(memory)}
          >
            Forget
          </button>
        </li>
      ))}
    </ul>
  );
}
