import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLatest } from '../../hooks/use-latest.js';

/** So near to its end counts as there, in pixels. */
const nearPx = 48;

export interface StickToBottom {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** Somebody reads further up: nothing scrolls by itself. */
  readonly isAway: boolean;
  readonly toNewest: () => void;
  /** Something further up is to be read. */
  readonly leave: () => void;
  readonly onScroll: () => void;
}

/**
 * Keeps the end of what grows in sight, as long as its reader has not gone further up.
 * @param sent changes when its reader has said something
 * @param isBegun what was not begun is read from its top
 */
export function useStickToBottom(sent: string | undefined, isBegun: boolean): StickToBottom {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const top = useRef(0);
  const [isAway, setIsAway] = useState(false);
  const latestIsBegun = useLatest(isBegun);

  function toNewest(): void {
    isFollowing.current = true;
    setIsAway(false);
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }

  function leave(): void {
    isFollowing.current = false;
    setIsAway(true);
  }

  function onScroll(): void {
    if (box.current === null) return;
    const { scrollTop, scrollHeight, clientHeight } = box.current;
    // What grows below moves nobody: only who goes up goes away.
    if (scrollHeight - clientHeight - scrollTop <= nearPx) isFollowing.current = true;
    else if (scrollTop < top.current) isFollowing.current = false;
    top.current = scrollTop;
    setIsAway(!isFollowing.current);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is for what was sent, and needs no other render.
  useEffect(() => {
    if (isBegun) toNewest();
    else setIsAway(false);
  }, [sent]);
  useEffect(() => {
    if (content.current === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (!isFollowing.current || box.current === null || !latestIsBegun()) return;
      box.current.scrollTop = box.current.scrollHeight;
    });
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [latestIsBegun]);
  return { box, content, isAway, toNewest, leave, onScroll };
}
