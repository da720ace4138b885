import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLatest } from '../../hooks/use-latest.js';

/** Distance in pixels from the end that counts as the end. */
const nearPx = 48;

export interface StickToBottom {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** The reader has scrolled up: no automatic scrolling. */
  readonly isScrolledUp: boolean;
  readonly toNewest: () => void;
  /** Something further up is to be read. */
  readonly leave: () => void;
  readonly onScroll: () => void;
}

/**
 * Keeps the end of growing content in view unless the reader has scrolled up.
 * @param sent changes when the user sends a message
 * @param isBegun content without an earlier read is shown from its top
 */
export function useStickToBottom(sent: string | undefined, isBegun: boolean): StickToBottom {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const top = useRef(0);
  const [isScrolledUp, setIsScrolledUp] = useState(false);
  const latestIsBegun = useLatest(isBegun);

  function toNewest(): void {
    isFollowing.current = true;
    setIsScrolledUp(false);
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }

  function leave(): void {
    isFollowing.current = false;
    setIsScrolledUp(true);
  }

  function onScroll(): void {
    if (box.current === null) return;
    const { scrollTop, scrollHeight, clientHeight } = box.current;
    // Growing content does not count as scrolling: only moving up does.
    if (scrollHeight - clientHeight - scrollTop <= nearPx) isFollowing.current = true;
    else if (scrollTop < top.current) isFollowing.current = false;
    top.current = scrollTop;
    setIsScrolledUp(!isFollowing.current);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is for what was sent, and needs no other render.
  useEffect(() => {
    if (isBegun) toNewest();
    else setIsScrolledUp(false);
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
  return { box, content, isScrolledUp, toNewest, leave, onScroll };
}
