import { type IMemory, useMemoryEngine } from '@mlango/oracle-client';
import { saveFile } from '@mlango/ussd-workbench/save-file';
import { useState } from 'react';
import { oracleAddress } from '../chat/oracle-address.js';
import { hrefOf } from '../shell/route.js';
import { useSettings } from '../shell/settings.js';
import { Title } from '../shell/title.js';
import { useQuery } from '../shell/use-route.js';
import { allMemories } from './all-memories.js';
import { NewMemoryForm, SearchForm } from './memory-forms.js';
import { useAttempt } from './oracle-requests.js';
import { formatDay, Loaded, OutcomeLine } from './parts.js';

/** Links to the next and previous page; nothing for a single page. */
function Pages({ page, pages }: { readonly page: number; readonly pages: number }) {
  if (pages <= 1 && page === 1) return null;
  const href = (to: number) => `${hrefOf('account', 'memory')}?page=${to}`;
  return (
    <nav aria-label="Pages" className="row">
      {page > 1 ? <a href={href(page - 1)}>Newer</a> : null}
      <span className="quiet small">
        Page {page} of {Math.max(pages, 1)}
      </span>
      {page < pages ? <a href={href(page + 1)}>Older</a> : null}
    </nav>
  );
}

interface MemoryListProps {
  readonly memories: readonly IMemory[];
  readonly isBusy: boolean;
  readonly onForget: (memory: IMemory) => void;
}

function MemoryItems({ memories, isBusy, onForget }: MemoryListProps) {
  return (
    <ul className="rows" aria-label="Memories">
      {memories.map((memory) => (
        <li key={memory.id}>
          <div>
            {memory.title === undefined ? null : <strong className="break">{memory.title}</strong>}
            <p className="memory-content break">{memory.content}</p>
            <p className="quiet small">
              {memory.kind === 'artifact' ? 'Made for you, ' : ''}
              {formatDay(memory.createdAt)}
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

/** Memories on a page of the list. */
const pageSize = 20;
/** Search results have no pages: the best matches come first. */
const foundLimit = 100;

/** The memories of the user, over all conversations. */
export function MemoriesView() {
  const { oracleDid } = useSettings();
  const options = useQuery();
  const query = options.get('query') ?? '';
  const page = Math.max(1, Math.trunc(Number(options.get('page'))) || 1);
  const which = query === '' ? { limit: pageSize, offset: (page - 1) * pageSize } : { query, limit: foundLimit };
  const engine = useMemoryEngine(oracleDid, { ...oracleAddress, ...which });
  const { memories, total, isLoading, error, refetch } = engine;
  const { outcome, isBusy, attempt } = useAttempt();
  const [forgotten, setForgotten] = useState<IMemory>();

  const forget = (memory: IMemory) =>
    attempt(async () => {
      await engine.forget(memory.id);
      setForgotten(memory);
      return 'Forgotten.';
    });

  const undo = ({ content, kind, title }: IMemory) =>
    attempt(async () => {
      await engine.remember({ content, kind, ...(title === undefined ? {} : { title }) });
      setForgotten(undefined);
      return 'Remembered again.';
    });

  const remember = (content: string) =>
    attempt(async () => {
      await engine.remember({ content });
      setForgotten(undefined);
      return 'Remembered.';
    });

  const save = () =>
    attempt(async () => {
      const all = await allMemories((part) => engine.recall({ oracleDid, ...oracleAddress, ...part }));
      saveFile(JSON.stringify(all, null, 1), 'application/json', 'mlango-memories.json');
      setForgotten(undefined);
      return `Saved: ${counted(all.length)}.`;
    });

  return (
    <>
      <div>
        <Title>Memory</Title>
        <p className="lead">
          What the oracle remembers about you in all conversations. Write “Remember that …” in the chat, or write it
          here.
        </p>
      </div>
      <NewMemoryForm isBusy={isBusy} onRemember={remember} />
      <div className="row spread memory-bar">
        <SearchForm key={query} query={query} />
        <button type="button" disabled={isBusy || total === 0} onClick={() => void save()}>
          Export
        </button>
      </div>
      <OutcomeLine outcome={outcome}>
        {forgotten === undefined ? null : (
          <button type="button" className="tight" disabled={isBusy} onClick={() => void undo(forgotten)}>
            Undo
          </button>
        )}
      </OutcomeLine>
      <Loaded
        query={{ reply: isLoading || error !== null ? undefined : memories, error, retry: () => void refetch() }}
        absent="This oracle has no memory: its plugin is off."
      >
        {(listed) => (
          <>
            <p className="quiet small" role="status" data-testid="memory-count">
              {query === '' ? counted(total) : `${counted(total)} with “${query}”`}
            </p>
            {listed.length > 0 ? (
              <MemoryItems memories={listed} isBusy={isBusy} onForget={(memory) => void forget(memory)} />
            ) : query === '' ? (
              <p className="empty">No memories</p>
            ) : (
              <p className="empty">
                No matching memories. <a href={hrefOf('account', 'memory')}>Show all</a>
              </p>
            )}
          </>
        )}
      </Loaded>
      {query === '' ? <Pages page={page} pages={Math.ceil(total / pageSize)} /> : null}
    </>
  );
}

function counted(count: number): string {
  return `${count} ${count === 1 ? 'memory' : 'memories'}`;
}
