import { useEffect, useState } from 'react';

/** Seconds since the condition became true; stops when it becomes false. */
export function useSeconds(isRunning: boolean): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const since = performance.now();
    setSeconds(0);
    const tick = setInterval(() => setSeconds(Math.floor((performance.now() - since) / 1_000)), 250);
    return () => clearInterval(tick);
  }, [isRunning]);
  return seconds;
}

/** As a clock has it: 0:07. Pure. */
export function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
