import type { IRunMoment } from '@mlango/oracle-client';
import { useEffect, useState } from 'react';

/** Long pauses are shortened. */
const longestPauseMs = 1_500;

export interface Replay {
  /** How many of the moments are shown. */
  readonly at: number;
  /** True while some events are hidden: the run is shown as it was then. */
  readonly isBack: boolean;
  readonly isPlaying: boolean;
  /** Shows the first ones up to this number; with the total number also future ones. */
  readonly show: (at: number) => void;
  /** Plays them at their original speed, from the first after the last; or stops. */
  readonly play: (on: boolean) => void;
}

/** Replays recorded events step by step. */
export function useReplay(moments: readonly IRunMoment[]): Replay {
  const [chosen, setChosen] = useState<number>();
  const [isPlaying, setIsPlaying] = useState(false);
  const at = Math.min(chosen ?? moments.length, moments.length);
  const waitMs = (moments[at]?.atMs ?? 0) - (moments[at - 1]?.atMs ?? 0);
  const isOver = at >= moments.length;

  function show(count: number): void {
    setChosen(count >= moments.length ? undefined : Math.max(0, count));
  }

  useEffect(() => {
    if (!isPlaying) return undefined;
    if (isOver) {
      setIsPlaying(false);
      setChosen(undefined);
      return undefined;
    }
    const timer = setTimeout(() => setChosen(at + 1), Math.min(waitMs, longestPauseMs));
    return () => clearTimeout(timer);
  }, [isPlaying, isOver, at, waitMs]);

  return {
    at,
    isBack: !isOver,
    isPlaying,
    show: (count) => {
      setIsPlaying(false);
      show(count);
    },
    play: (on) => {
      if (on && isOver) setChosen(0);
      setIsPlaying(on);
    },
  };
}
