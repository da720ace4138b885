import type { ReceivedSecret } from '../api/plugin.js';
import type { RuntimeContext, TurnContext } from '../api/runtime-context.js';
import { callTurnHook, type TurnHooks } from './plugin-isolation.js';
import type { ActivePlugin } from './plugin-start.js';

/** A plugin, and the turn as it sees it. */
export interface PluginView {
  readonly active: ActivePlugin;
  readonly context: RuntimeContext;
}

type SharedStates = Readonly<Record<string, unknown>>;

/**
 * What each plugin is told of the turn: its own settings and logger, and the shared state of those before it. All are asked for
 * their state at the same time, but each after those it depends on, whose states it is shown.
 */
export async function pluginContexts(
  plugins: readonly ActivePlugin[],
  facts: TurnContext,
  asking: TurnHooks,
  alone: (plugin: ActivePlugin) => Pick<RuntimeContext, 'kv' | 'model' | ReceivedSecret>,
): Promise<PluginView[]> {
  const states = new Map<string, Promise<unknown>>();
  const told = plugins.map((active) => {
    const { name, plugin, boot } = active;
    const own = { ...facts, ...alone(active), config: boot.config, logger: boot.logger };
    if (plugin.getSharedState !== undefined) states.set(name, stateOf(active, own, states, asking));
    return { active, own };
  });
  const shared = await statesOf([...states.keys()], states);
  const before: Record<string, unknown> = {};
  return told.map(({ active, own }) => {
    const context = Object.assign(own, { shared: { ...before } });
    if (Object.hasOwn(shared, active.name)) before[active.name] = shared[active.name];
    return { active, context };
  });
}

/** Those it depends on stand before it, so that their states are under way. */
async function stateOf(
  { name, plugin }: ActivePlugin,
  own: Omit<RuntimeContext, 'shared'>,
  states: ReadonlyMap<string, Promise<unknown>>,
  asking: TurnHooks,
): Promise<unknown> {
  const shared = await statesOf([...(plugin.dependsOn ?? []), ...(plugin.softDependsOn ?? [])], states);
  return callTurnHook(asking, name, 'getSharedState', undefined, () => plugin.getSharedState?.({ ...own, shared }));
}

/** Without those that have none. Rejects as little as asking for them does. */
async function statesOf(
  names: readonly string[],
  states: ReadonlyMap<string, Promise<unknown>>,
): Promise<SharedStates> {
  const all = await Promise.all(names.map(async (name) => [name, await states.get(name)] as const));
  return Object.fromEntries(all.filter(([, state]) => state !== undefined));
}

/** What all plugins of a turn are told of it, so that none can write into it for the next: plain objects and lists, all the way down. */
export function deepFreeze<Told>(told: Told): Told {
  if (typeof told !== 'object' || told === null || Object.isFrozen(told)) return told;
  if (!Array.isArray(told) && Object.getPrototypeOf(told) !== Object.prototype) return told;
  Object.freeze(told);
  for (const part of Object.values(told)) deepFreeze(part);
  return told;
}
