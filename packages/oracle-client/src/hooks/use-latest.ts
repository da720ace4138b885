import { useEffect, useLayoutEffect, useRef } from 'react';

/** Before anything is drawn; a server draws nothing, and is not warned of it. */
export const useEarlyEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/** A function that is the same for ever, and gives what was rendered last. */
export function useLatest<Value>(value: Value): () => Value {
  const latest = useRef(value);
  const read = useRef(() => latest.current);
  useEarlyEffect(() => {
    latest.current = value;
  });
  return read.current;
}
