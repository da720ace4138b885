import { useOraclesRuntime } from '../provider/oracles-context.js';
import { useMountedValue } from '../provider/use-mounted-value.js';
import type { IAgAction, MountedAction } from './action.js';
import type { ToolSchema } from './tool-schema.js';

/**
 * Offers an action to the agent of every chat below the same provider, as long as the component is mounted. Messages that
 * are sent from then on tell of it. Throws outside of an `OraclesProvider`.
 */
export function useAgAction<Schema extends ToolSchema>(action: IAgAction<Schema>): void {
  const { actions } = useOraclesRuntime();
  useMountedValue<MountedAction>(actions, action.name, action, (one, other) => one.render === other.render);
}
