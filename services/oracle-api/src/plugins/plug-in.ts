import { within } from '@mlango/service-kit/within';
import type { PluggedTurn, TurnSetting } from '../chat/turn-plugins.js';
import type { TurnTool } from '../chat/turn-tool.js';
import { composeInstructions, type Persona } from '../runtime/compose-instructions.js';
import type { RuntimeContext, TurnFacts } from '../runtime/runtime-context.js';
import { openFacts, type RuntimeParts } from '../runtime/turn-facts.js';
import { aroundModel, hookLimitMs } from './around-model.js';
import { type ActivePlugin, ownToolNames } from './boot-plugins.js';
import { callPluginTool } from './call-plugin-tool.js';
import { capabilityTools, loadedBefore } from './capabilities.js';
import { passingOver, type ReportFailure } from './failure-report.js';
import { PluginError } from './plugin-error.js';
import { type PreparedTool, prepareTool } from './prepared-tool.js';

export interface PlugInParts {
  readonly persona: Persona;
  readonly plugins: readonly ActivePlugin[];
  readonly runtime: RuntimeParts;
  readonly report: ReportFailure;
}

interface SeenBy {
  readonly active: ActivePlugin;
  readonly context: RuntimeContext;
}

/** Opens a turn to the plugins that are on. Rejects only when the user's preferences cannot be read. */
export async function plugIn(parts: PlugInParts, setting: TurnSetting): Promise<PluggedTurn> {
  const { persona, plugins, runtime, report } = parts;
  const withPreferences = plugins.some(({ name }) => name === 'user-preferences');
  const { facts, takeNotices, close } = await openFacts(runtime, setting, { withPreferences });
  const seen = await contextsOf(parts, facts);
  const requestTools = await requestToolsOf(seen, plugins, report);
  const loaded = loadedBefore(setting.earlierCalls);
  const offers = seen.map(({ active, context }) => {
    const tools = [...active.tools, ...requestTools.filter(({ owner }) => owner === active.name)];
    return { name: active.name, manifest: active.manifest, context, tools, toolNames: tools.map(nameOf) };
  });
  const own = capabilityTools(
    offers.filter(({ manifest }) => manifest.visibility === 'on-demand'),
    loaded,
  ).map((tool) => prepareTool('capabilities', tool));
  const wraps = seen.map(({ active: { name, middlewares }, context }) => ({
    middlewares,
    context,
    report: (where: string, error: unknown) => report(name, where, error),
  }));
  const ownContext = { ...facts, config: {}, shared: {}, logger: runtime.logger };

  const asTurnTool = (tool: PreparedTool, context: RuntimeContext): TurnTool => ({
    kind: 'server',
    name: tool.tool.name,
    description: tool.tool.description,
    schema: tool.schema.json,
    call: (args, { toolCallId, signal }) =>
      callPluginTool({
        tool,
        args,
        toolCallId,
        signal,
        context,
        wraps: wraps.flatMap((wrap) => {
          const wrapTool = wrap.middlewares.wrapTool?.bind(wrap.middlewares);
          if (wrapTool === undefined) return [];
          return [{ wrapTool, context: wrap.context, report: (error: unknown) => wrap.report('wrapTool', error) }];
        }),
        report: (error) => report(tool.owner, `tool ${tool.tool.name}`, error),
      }),
  });
  const ownTools = own.map((tool) => asTurnTool(tool, ownContext));
  const toolsOf = offers.map(({ name, manifest, tools, context }) => ({
    name,
    isAlways: manifest.visibility === 'always',
    tools: tools.map((tool) => asTurnTool(tool, context)),
  }));

  return {
    instructions: composeInstructions(
      persona,
      plugins.map(({ name, manifest }) => ({ name, ...manifest })),
      facts.preferences,
    ),
    ...(facts.preferences === undefined ? {} : { preferences: facts.preferences }),
    tools: () => [
      ...ownTools,
      ...toolsOf.filter(({ isAlways, name }) => isAlways || loaded.has(name)).flatMap(({ tools }) => tools),
    ],
    around: (model) => aroundModel(model, wraps, takeNotices),
    close,
  };
}

/** What each plugin is told of the turn, with the shared state of those before it. */
async function contextsOf({ plugins, report }: PlugInParts, facts: TurnFacts): Promise<SeenBy[]> {
  const seen: SeenBy[] = [];
  let shared: Readonly<Record<string, unknown>> = {};
  for (const active of plugins) {
    const { name, plugin, boot } = active;
    const context = { ...facts, config: boot.config, logger: boot.logger, shared };
    seen.push({ active, context });
    if (plugin.getSharedState === undefined) continue;
    const state = await passingOver(
      (error) => report(name, 'getSharedState', error),
      undefined,
      () => plugin.getSharedState?.(context),
    );
    if (state !== undefined) shared = { ...shared, [name]: state };
  }
  return seen;
}

/** The tools of this turn alone, those left out whose names are taken. */
async function requestToolsOf(
  seen: readonly SeenBy[],
  plugins: readonly ActivePlugin[],
  report: ReportFailure,
): Promise<PreparedTool[]> {
  const brought = await Promise.all(
    seen.map(async ({ active: { name, plugin }, context }) => {
      if (plugin.getRequestTools === undefined) return [];
      const tools = async () => (await plugin.getRequestTools?.(context)) ?? [];
      return passingOver(
        (error) => report(name, 'getRequestTools', error),
        [],
        async () => (await within(hookLimitMs, 'getRequestTools', tools())).map((tool) => ({ name, tool })),
      );
    }),
  );
  const taken = new Set([...ownToolNames, ...plugins.flatMap(({ tools }) => tools.map(nameOf))]);
  return brought.flat().flatMap(({ name, tool }) => {
    try {
      if (taken.has(tool.name)) throw new PluginError(`a tool "${tool.name}" is there already`);
      const prepared = prepareTool(name, tool);
      taken.add(tool.name);
      return [prepared];
    } catch (error) {
      report(name, 'getRequestTools', error);
      return [];
    }
  });
}

const nameOf = ({ tool }: PreparedTool): string => tool.name;
