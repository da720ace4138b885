import type { TurnContext } from '../../agent/prompt/turn-context.js';
import type { ReceivedSecret } from '../api/plugin.js';
import type { RuntimeContext } from '../api/runtime-context.js';
import { callTurnHook, type TurnHooks } from './plugin-isolation.js';
import type { ActivePlugin } from './plugin-start.js';

/** A plugin with its context of one turn. */
export interface PluginView {
  readonly active: ActivePlugin;
  readonly context: RuntimeContext;
}

type SharedStates = Readonly<Record<string, unknown>>;

/**
 * Creates the context of each plugin: settings, logger and the shared state of earlier plugins. Shared states are computed in
 * parallel; a plugin waits for the states of its dependencies.
 */
export async function pluginContexts(
  plugins: readonly ActivePlugin[],
  facts: TurnContext,
  hooks: TurnHooks,
  alone: (plugin: ActivePlugin) => Pick<RuntimeContext, 'kv' | 'model' | ReceivedSecret>,
): Promise<PluginView[]> {
  const states = new Map<string, Promise<unknown>>();
  const views = plugins.map((active) => {
    const { name, plugin, boot } = active;
    const own = { ...facts, ...alone(active), config: boot.config, logger: boot.logger };
    if (plugin.getSharedState !== undefined) states.set(name, stateOf(active, own, states, hooks));
    return { active, own };
  });
  const shared = await statesOf([...states.keys()], states);
  const before: Record<string, unknown> = {};
  return views.map(({ active, own }) => {
    const context = Object.assign(own, { shared: { ...before } });
    if (Object.hasOwn(shared, active.name)) before[active.name] = shared[active.name];
    return { active, context };
  });
}

/** Dependencies come earlier in the order, so their states have been started. */
async function stateOf(
  { name, plugin }: ActivePlugin,
  own: Omit<RuntimeContext, 'shared'>,
  states: ReadonlyMap<string, Promise<unknown>>,
  hooks: TurnHooks,
): Promise<unknown> {
  const shared = await statesOf([...(plugin.dependsOn ?? []), ...(plugin.softDependsOn ?? [])], states);
  return callTurnHook(hooks, name, 'getSharedState', undefined, () => plugin.getSharedState?.({ ...own, shared }));
}

/** States that are not undefined. */
async function statesOf(
  names: readonly string[],
  states: ReadonlyMap<string, Promise<unknown>>,
): Promise<SharedStates> {
  const all = await Promise.all(names.map(async (name) => [name, await states.get(name)] as const));
  return Object.fromEntries(all.filter(([, state]) => state !== undefined));
}

/** Freezes plain objects and arrays recursively, so that a plugin cannot change them for the next plugin. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}
