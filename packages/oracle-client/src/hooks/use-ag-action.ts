import { useEffect, useRef } from 'react';
import type { MountedValues } from '../api/mounted-values.js';
import type { IAgAction, MountedAction } from '../api/tools/action.js';
import type { ToolSchema } from '../api/tools/tool-schema.js';
import { useOraclesRuntime } from './oracles-context.js';
import { useEarlyEffect, useLatest } from './use-latest.js';

/**
 * Offers an action to the agent of every chat below the same provider, as long as the component is mounted. Messages sent from
 * then on include it. Throws outside of an `OraclesProvider`.
 */
export function useAgAction<Schema extends ToolSchema>(action: IAgAction<Schema>): void {
  const { actions } = useOraclesRuntime();
  useMountedValue<MountedAction>(actions, action.name, action, (one, other) => one.render === other.render);
}

/**
 * Offers a value under a name as long as the component is mounted. A value created with each render is reported only if
 * `isSame` returns false for it.
 */
export function useMountedValue<Value>(
  values: MountedValues<Value>,
  name: string,
  value: Value,
  isSame: (one: Value, other: Value) => boolean,
): void {
  const latest = useLatest(value);
  const announced = useRef(value);
  useEarlyEffect(() => values.add(name, latest), [values, name, latest]);
  useEffect(() => {
    if (isSame(announced.current, value)) return;
    announced.current = value;
    values.changed(name);
  });
}
