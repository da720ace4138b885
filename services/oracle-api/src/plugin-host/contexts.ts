import type { RuntimeContext, TurnFacts } from '../plugin-kit/runtime-context.js';
import type { ActivePlugin } from './boot-plugins.js';
import { askedInTurn, type ReportFailure } from './failure-report.js';
import type { ToldAlone } from './told-alone.js';

/** A plugin, and the turn as it sees it. */
export interface SeenBy {
  readonly active: ActivePlugin;
  readonly context: RuntimeContext;
}

/** What each plugin is told of the turn: its own settings and logger, and the shared state of those before it. */
export async function contextsOf(
  plugins: readonly ActivePlugin[],
  facts: TurnFacts,
  report: ReportFailure,
  alone: (plugin: ActivePlugin) => ToldAlone & Pick<RuntimeContext, 'kv'>,
): Promise<SeenBy[]> {
  const seen: SeenBy[] = [];
  let shared: Readonly<Record<string, unknown>> = {};
  for (const active of plugins) {
    const { name, plugin, boot } = active;
    const context = { ...facts, ...alone(active), config: boot.config, logger: boot.logger, shared };
    seen.push({ active, context });
    if (plugin.getSharedState === undefined) continue;
    const stateOf = () => plugin.getSharedState?.(context);
    const state = await askedInTurn(report, name, 'getSharedState', undefined, stateOf);
    if (state !== undefined) shared = { ...shared, [name]: state };
  }
  return seen;
}
