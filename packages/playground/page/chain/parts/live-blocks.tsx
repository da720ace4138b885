import { useCallback, useEffect, useState } from 'react';
import { ChainLink } from './links.js';
import { chainBase, paths } from './paths.js';

export interface NewBlock {
  readonly height: string;
  /** Null for a missed one. */
  readonly time: string | null;
}

export interface LiveBlocks {
  /** Newest first. */
  readonly blocks: readonly NewBlock[];
  readonly isUnreachable: boolean;
  readonly isPaused: boolean;
  readonly pause: (isPaused: boolean) => void;
}

const MAX_BLOCKS = 30;
/** A refused watch is retried after one block time. */
const AGAIN_MS = 6_000;

/** The blocks of the chain as they arrive, while the page is visible. A hidden page closes its connection. */
export function useLiveBlocks(): LiveBlocks {
  const [blocks, setBlocks] = useState<readonly NewBlock[]>([]);
  const [isUnreachable, setIsUnreachable] = useState(false);
  const [isPaused, pause] = useState(false);
  const [round, setRound] = useState(0);
  const isSeen = useIsSeen();
  const add = useCallback((block: NewBlock) => {
    setIsUnreachable(false);
    setBlocks((last) => [block, ...last.filter(({ height }) => height !== block.height)].slice(0, MAX_BLOCKS));
  }, []);
  useEffect(() => {
    if (isPaused || !isSeen) return undefined;
    const source = new EventSource(`${chainBase}${paths.blocks}?watch=1`);
    let timer: ReturnType<typeof setTimeout> | undefined;
    source.onmessage = ({ data }) => add(JSON.parse(String(data)) as NewBlock);
    source.addEventListener('status', ({ data }) => setIsUnreachable(String(data).includes('"away"')));
    source.onerror = () => {
      setIsUnreachable(true);
      // Browsers retry after a broken connection, but not after a refusal.
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(() => setRound((count) => count + 1), AGAIN_MS);
    };
    return () => {
      source.close();
      clearTimeout(timer);
    };
  }, [isPaused, isSeen, round, add]);
  return { blocks, isUnreachable, isPaused, pause };
}

function useIsSeen(): boolean {
  const [isSeen, setIsSeen] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setIsSeen(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isSeen;
}

/** The last block of the chain. */
export function HeightStrip({ live: { blocks, isUnreachable, isPaused } }: { readonly live: LiveBlocks }) {
  const height = blocks[0]?.height;
  return (
    <p className="height-strip small">
      <span
        className={`lamp ${isUnreachable ? 'off' : height === undefined || isPaused ? '' : 'on'}`}
        aria-hidden="true"
      />
      {isUnreachable ? (
        'The chain node cannot be reached'
      ) : (
        <ChainLink to={['blocks']}>Block {height === undefined ? '…' : Number(height).toLocaleString('en')}</ChainLink>
      )}
    </p>
  );
}
