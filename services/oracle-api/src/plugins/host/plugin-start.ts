import { within } from '@mlango/async/within';
import type { FileIntake } from '../../files/file-intake.js';
import type { ModelTool } from '../../models/language-model.js';
import type { PaymentGate, UsageMeter } from '../../runs/payment.js';
import type { OraclePlugin, PluginBoot, PluginFigure, PluginManifest, PluginResource } from '../api/plugin.js';
import { PluginError } from '../api/plugin-error.js';
import type { PluginMiddlewares } from '../api/plugin-middlewares.js';
import { inPlugin, scoped, withFallback } from './plugin-isolation.js';
import {
  returnedFigures,
  returnedGate,
  returnedIntake,
  returnedMeter,
  returnedMiddlewares,
  returnedResources,
  returnedTools,
} from './returned-values.js';
import { type PreparedTool, prepareTool } from './tools/prepare-tool.js';

/** A started plugin with the parts it returned at start. */
export interface ActivePlugin {
  readonly name: string;
  readonly manifest: PluginManifest;
  readonly plugin: OraclePlugin;
  readonly boot: PluginBoot;
  readonly tools: readonly PreparedTool[];
  readonly resources: readonly PluginResource[];
  readonly middlewares: PluginMiddlewares;
  readonly gate: PaymentGate | undefined;
  readonly meter: UsageMeter | undefined;
  readonly intake: FileIntake | undefined;
  readonly figures: readonly PluginFigure[];
}

/** Names of the oracle's own tools. */
export const ownToolNames: readonly string[] = ['list_capabilities', 'load_capability', 'ask_before'];

/**
 * Starts plugins one at a time in the order of the list. Plugins yielded before a failure have started.
 * @throws PluginError naming the plugin that cannot be started, or the tools of one name.
 */
export function* bootPlugins(
  plugins: readonly OraclePlugin[],
  bootOf: (plugin: OraclePlugin) => PluginBoot,
): Generator<ActivePlugin, void> {
  const owners = new Map(ownToolNames.map((name) => [name, 'the oracle itself']));
  for (const plugin of plugins) {
    const active = bootPlugin(plugin, bootOf(plugin));
    yield active;
    for (const { tool } of active.tools) {
      const owner = owners.get(tool.name);
      if (owner !== undefined) {
        throw new PluginError(`plugin "${plugin.name}": a tool "${tool.name}" exists already, of ${owner}`);
      }
      owners.set(tool.name, `plugin "${plugin.name}"`);
    }
    for (const { uriPrefix } of active.resources) {
      const owner = owners.get(uriPrefix);
      if (!/^[a-z][a-z0-9+.-]*:\S{0,100}$/.test(uriPrefix) || owner !== undefined) {
        throw new PluginError(
          `plugin "${plugin.name}": "${uriPrefix}" is ${owner === undefined ? 'no URI prefix' : `in use already, by ${owner}`}`,
        );
      }
      owners.set(uriPrefix, `plugin "${plugin.name}"`);
    }
  }
}

function bootPlugin(plugin: OraclePlugin, boot: PluginBoot): ActivePlugin {
  const { name, manifest } = plugin;
  return atPluginStart(name, () => {
    const gate = returnedGate(plugin.getPaymentGate?.(boot));
    const meter = returnedMeter(plugin.getUsageMeter?.(boot));
    const tools = returnedTools('getTools', plugin.getTools?.(boot));
    return {
      name,
      manifest,
      plugin,
      boot,
      tools: tools.map((tool) => prepareTool(plugin, tool)),
      intake: returnedIntake(plugin.getFileIntake?.(boot)),
      middlewares: returnedMiddlewares(plugin.getMiddlewares?.(boot)),
      resources: returnedResources(plugin.getResources?.(boot)).map((resource) =>
        scoped(name, resource, 'uriPrefix', 'name', 'description', 'list', 'read'),
      ),
      gate: gate && scoped(name, gate, 'demandOf', 'release'),
      meter: meter && scoped(name, meter, 'charges', 'record'),
      figures: returnedFigures(plugin.getFigures?.(boot)).map((figure) => scoped(name, figure, 'name', 'help', 'read')),
    };
  });
}

/** Runs start-up code of a plugin. @throws PluginError that names the plugin if the code throws. */
export function atPluginStart<T>(name: string, work: () => T): T {
  try {
    return inPlugin(name, work);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it threw a value that is not an error';
    throw new PluginError(`plugin "${name}" cannot be started: ${reason}`, { cause });
  }
}

export interface OfferedTool extends Pick<ModelTool, 'name' | 'description' | 'schema'> {
  /** Name of the plugin. */
  readonly plugin: string;
  /** The tool changes nothing for any arguments. */
  readonly isHarmless: boolean;
}

/** Tools and resources of a plugin for programs of its users. */
export interface PluginOffer {
  readonly tools: readonly OfferedTool[];
  readonly resources: readonly PluginResource[];
}

export function offerOf({ name: plugin, tools, resources }: ActivePlugin): PluginOffer {
  const offered = tools.filter(({ tool }) => tool.isOffered === true);
  return {
    tools: offered.map(({ tool: { effects }, modelTool: { name, description, schema } }) => {
      return { plugin, name, description, schema, isHarmless: effects === 'none' };
    }),
    resources,
  };
}

/** Closes plugins in the reverse of their start order, one after the other. Never rejects. */
export async function closePlugins(
  started: readonly ActivePlugin[],
  log: { warn(fields: object, text: string): void },
  closeLimitMs = 5_000,
): Promise<void> {
  for (const { name, plugin, boot } of started.toReversed()) {
    const closing = () => inPlugin(name, async () => plugin.close?.(boot));
    await withFallback(
      (err) => log.warn({ err, plugin: name }, 'plugin could not be closed'),
      undefined,
      () => within(closeLimitMs, 'close', closing()),
    );
  }
}
