import { useEffect, useRef } from 'react';
import type { MountedValues } from './mounted-values.js';
import { useEarlyEffect, useLatest } from './use-latest.js';

/**
 * Offers a value under a name as long as the component is mounted. A value that is made anew with each render is told of
 * only where `isSame` says that it is another.
 */
export function useMountedValue<Value>(
  values: MountedValues<Value>,
  name: string,
  value: Value,
  isSame: (one: Value, other: Value) => boolean,
): void {
  const latest = useLatest(value);
  const told = useRef(value);
  useEarlyEffect(() => values.add(name, latest), [values, name, latest]);
  useEffect(() => {
    if (isSame(told.current, value)) return;
    told.current = value;
    values.changed(name);
  });
}
