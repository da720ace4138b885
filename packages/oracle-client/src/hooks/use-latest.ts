import { useEffect, useLayoutEffect, useRef } from 'react';

/** Before anything is drawn; on a server, which draws nothing, it avoids React's warning. */
export const useEarlyEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/** A stable function that returns the last rendered value. */
export function useLatest<Value>(value: Value): () => Value {
  const latest = useRef(value);
  const read = useRef(() => latest.current);
  useEarlyEffect(() => {
    latest.current = value;
  });
  return read.current;
}
