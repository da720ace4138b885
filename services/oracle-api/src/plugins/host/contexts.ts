import type { ReceivedSecret } from '../api/plugin.js';
import type { RuntimeContext, TurnFacts } from '../api/runtime-context.js';
import type { ActivePlugin } from './boot-plugins.js';
import { type Asking, askedInTurn } from './failure-report.js';

/** A plugin, and the turn as it sees it. */
export interface SeenBy {
  readonly active: ActivePlugin;
  readonly context: RuntimeContext;
}

type SharedStates = Readonly<Record<string, unknown>>;

/**
 * What each plugin is told of the turn: its own settings and logger, and the shared state of those before it. All are asked for
 * their state at the same time, but each after those it depends on, whose states it is shown.
 */
export async function contextsOf(
  plugins: readonly ActivePlugin[],
  facts: TurnFacts,
  asking: Asking,
  alone: (plugin: ActivePlugin) => Pick<RuntimeContext, 'kv' | 'model' | ReceivedSecret>,
): Promise<SeenBy[]> {
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
  asking: Asking,
): Promise<unknown> {
  const shared = await statesOf([...(plugin.dependsOn ?? []), ...(plugin.softDependsOn ?? [])], states);
  return askedInTurn(asking, name, 'getSharedState', undefined, () => plugin.getSharedState?.({ ...own, shared }));
}

/** Without those that have none. Rejects as little as asking for them does. */
async function statesOf(
  names: readonly string[],
  states: ReadonlyMap<string, Promise<unknown>>,
): Promise<SharedStates> {
  const all = await Promise.all(names.map(async (name) => [name, await states.get(name)] as const));
  return Object.fromEntries(all.filter(([, state]) => state !== undefined));
}
