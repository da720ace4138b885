import type { Keyring } from '@mlango/crypto/keyring';
import type { Outbound } from '@mlango/outbound/outbound';
import type { Logger } from '@mlango/service-kit/logging';
import type { AccountDataSource } from '../../account/account.js';
import { openGate, type RetryingGate, withHoldRetry } from '../../agent/admission.js';
import type { Visibility } from '../../agent/prompt/instructions.js';
import type { PluggedTurn, TurnPlugins, TurnSetting } from '../../agent/prompt/turn-plugins.js';
import { MessageFiles } from '../../files/message-files.js';
import type { OracleIdentity } from '../../identity/oracle-identity.js';
import type { PaymentGate, UsageMeter } from '../../runs/payment.js';
import type { OpenPool } from '../../shared-pools.js';
import type { StorageLimits } from '../../store/storage-limits.js';
import type { Grant } from '../api/grants.js';
import type { OraclePlugin, PluginBoot, PluginFigure, PublicRoute } from '../api/plugin.js';
import { PluginError } from '../api/plugin-error.js';
import { vaultOf } from '../api/plugin-storage.js';
import { bundledNames } from '../bundled.js';
import { Callers, type GrantSources, grantsFor } from './plugin-grants.js';
import { inPlugin, iterateInPlugin } from './plugin-isolation.js';
import { type HostedRoutes, type HostServices, PluginRouteTable } from './plugin-routes.js';
import {
  type ActivePlugin,
  atPluginStart,
  bootPlugins,
  closePlugins,
  offerOf,
  ownToolNames,
  type PluginOffer,
} from './plugin-start.js';
import { openPluginTurn, type PluginTurnParts } from './plugin-turn.js';
import type { Feature, ResolvedPlugin } from './resolve-features.js';
import { returnedDemand, returnedRows } from './returned-values.js';
import { pluginKv } from './state/plugin-kv.js';

/** One plugin as the operator sees it. */
export interface PluginStatus {
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly visibility: Visibility;
  /** The configured value. */
  readonly feature: Feature;
  readonly status: 'on' | 'off';
  /** Why it is off. */
  readonly reason?: string;
  /** Names of the tools it has in every turn. */
  readonly tools: readonly string[];
  /** Grants that its manifest requests. */
  readonly needs: readonly Grant[];
  /** Whether the plugin has tables. */
  readonly hasTables: boolean;
  /** `GET /path`. */
  readonly routes: readonly string[];
  /** Failures since the start. */
  readonly failures: number;
}

export interface PluginHostParts extends PluginTurnParts {
  /** In start order. */
  readonly plugins: readonly ResolvedPlugin[];
  /** Parsed settings by plugin name. */
  readonly settings: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly oracle: OracleIdentity;
  /** For plugins with the grant `sessions:read`. */
  readonly conversations: GrantSources['conversations'];
  /** Opens the tables of a plugin; undefined for a plugin without tables. */
  readonly openTables: (plugin: OraclePlugin) => unknown;
  /** Seals secrets of plugins. */
  readonly keyring: Keyring;
  readonly outbound: Outbound;
  readonly openPool: OpenPool;
  /** Counts the storage that files of messages use. */
  readonly storage: Pick<StorageLimits, 'take'>;
  /** Public routes that the operator adds. */
  readonly authExcludedRoutes: readonly PublicRoute[];
  readonly logger: Logger;
  /** Called for each failure of a plugin in a turn. */
  readonly onFailure: (plugin: string) => void;
}

/** The plugins of an oracle, their routes and their part in turns. */
export class PluginHost implements TurnPlugins {
  readonly #parts: PluginHostParts;
  readonly #active: readonly ActivePlugin[];
  /** Authenticated callers by request object; a plugin cannot change them by writing into a request. */
  readonly #callers: Callers;
  readonly #failures = new Map<string, number>();
  readonly #routes: PluginRouteTable;
  /** Payment gates of all plugins as one. */
  readonly gate: RetryingGate;
  /** Accepts files of requests and tool results; refuses all files if no plugin accepts files. */
  readonly messageFiles: MessageFiles;

  private constructor(parts: PluginHostParts, active: readonly ActivePlugin[], callers: Callers) {
    this.#callers = callers;
    this.#parts = parts;
    this.#active = active;
    this.#routes = new PluginRouteTable(parts.authExcludedRoutes, callers);
    this.messageFiles = new MessageFiles(active.find(({ intake }) => intake !== undefined)?.intake, parts.storage);
    this.gate = withHoldRetry(combineGates(active.flatMap(({ gate }) => gate ?? [])));
  }

  /** Starts the enabled plugins. If one fails, closes those already started and rejects with a `PluginError`. */
  static async start(parts: PluginHostParts): Promise<PluginHost> {
    const { plugins, settings, oracle, conversations, openTables, state, keyring, outbound, openPool } = parts;
    const { logger, runtime } = parts;
    const names = new Set(plugins.map(({ plugin }) => plugin.name));
    const unknown = [...parts.limits.keys()].find((name) => !names.has(name));
    if (unknown !== undefined) throw new PluginError(`PLUGIN_LIMITS: there is no plugin called ${unknown}`);
    const started: ActivePlugin[] = [];
    const callers = new Callers();
    const meters = () => metersOf(started);
    const sources = { callers, preferences: runtime.preferences, conversations, meters, newId: runtime.newId };
    const identity = Object.freeze({ ...oracle });
    const bootOf = (plugin: OraclePlugin): PluginBoot => {
      const { name } = plugin;
      return {
        config: settings.get(name) ?? {},
        oracle: identity,
        grants: grantsFor(sources, plugin),
        own: atPluginStart(name, () => openTables(plugin)),
        kv: pluginKv(state, name, callers, runtime.now),
        vault: vaultOf(keyring, oracle.did, name),
        outbound,
        openPool: (options) => openPool({ ...options, name: `${name}_${options.name}` }),
        logger: logger.child({ plugin: name }),
        now: runtime.now,
        newId: runtime.newId,
      };
    };
    const starts = bootPlugins(
      plugins.filter(({ isOn }) => isOn).map(({ plugin }) => plugin),
      bootOf,
    );
    try {
      for (const active of starts) started.push(active);
    } catch (error) {
      await closePlugins(started, logger);
      throw error;
    }
    return new PluginHost(parts, started, callers);
  }

  /** Closes the plugins in reverse start order. Call once, after the last turn. Never rejects. */
  close(): Promise<void> {
    return closePlugins(this.#active, this.#parts.logger);
  }

  /** Public routes that the operator adds. */
  get authExcludedRoutes(): readonly PublicRoute[] {
    return this.#parts.authExcludedRoutes;
  }

  /** Meters that record the usage of each turn. */
  get meters(): readonly UsageMeter[] {
    return metersOf(this.#active);
  }

  /** Figures of plugins for the metrics. */
  get figures(): readonly (PluginFigure & { readonly plugin: string })[] {
    return this.#active.flatMap(({ name, figures }) => figures.map((figure) => ({ ...figure, plugin: name })));
  }

  /** Plugins that store data of users. */
  get accountSources(): readonly AccountDataSource[] {
    return accountDataOf(this.#active);
  }

  /** Tools and resources of each plugin for programs of the user. */
  get offers(): readonly PluginOffer[] {
    return this.#active.map(offerOf);
  }

  /** Whether the oracle or a plugin has a tool of that name in every turn: a client's tool of the same name is not offered. */
  hasTool(name: string): boolean {
    return (
      ownToolNames.includes(name) || this.#active.some(({ tools }) => tools.some(({ tool }) => tool.name === name))
    );
  }

  /** Enabled plugins of a name: one or none. */
  active(name: string): readonly ActivePlugin[] {
    return this.#active.filter((plugin) => plugin.name === name);
  }

  open(setting: TurnSetting): Promise<PluggedTurn> {
    const report = (plugin: string, where: string, error: unknown) => this.#report(plugin, where, error);
    const { messageFiles } = this;
    return openPluginTurn(
      { ...this.#parts, plugins: this.#active, callers: this.#callers, messageFiles, report },
      setting,
    );
  }

  routes(services: HostServices): HostedRoutes[] {
    return this.#active.map((active) => this.#routes.host(active, services));
  }

  /** Called after all routes are registered. @throws PluginError for an excluded route that no plugin has. */
  checkExcludedRoutes(): void {
    // A disabled plugin may declare the route.
    const hasDisabledRoutes = this.#parts.plugins.some(
      ({ plugin, isOn }) => !isOn && plugin.getRoutes !== undefined && !bundledNames.includes(plugin.name),
    );
    if (!hasDisabledRoutes) this.#routes.checkExcluded();
  }

  status(): PluginStatus[] {
    return this.#parts.plugins.map(({ plugin, feature, isOn, reason }) => {
      const { name, version, manifest } = plugin;
      const active = this.#active.find((other) => other.name === name);
      return {
        name,
        version,
        title: manifest.title,
        visibility: manifest.visibility,
        feature,
        status: isOn ? 'on' : 'off',
        ...(reason === undefined ? {} : { reason }),
        tools: active?.tools.map(({ tool }) => tool.name) ?? [],
        needs: manifest.needs ?? [],
        hasTables: plugin.tables !== undefined,
        routes: this.#routes.namesOf(name),
        failures: this.#failures.get(name) ?? 0,
      };
    });
  }

  #report(plugin: string, where: string, err: unknown): void {
    this.#failures.set(plugin, (this.#failures.get(plugin) ?? 0) + 1);
    this.#parts.onFailure(plugin);
    this.#parts.logger.warn({ err, plugin, where }, 'plugin failed');
  }
}

function metersOf(plugins: readonly ActivePlugin[]): UsageMeter[] {
  return plugins.flatMap(({ meter }) => meter ?? []);
}

/** Combines gates: the first demand applies. */
function combineGates(gates: readonly PaymentGate[]): PaymentGate {
  if (gates.length === 0) return openGate;
  return {
    async demandOf(send) {
      for (const gate of gates) {
        const demand = returnedDemand(await gate.demandOf(send));
        if (demand !== undefined) return demand;
      }
      return undefined;
    },
    async release(runId) {
      const released = await Promise.allSettled(gates.map(async (gate) => gate.release?.(runId)));
      const failed = released.find((each) => each.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
  };
}

async function* noRows(): AsyncGenerator<never, void> {}

const unknownRowsReason =
  'The plugin does not declare which rows of its tables are yours. Contact the operator of the oracle.';

/** Export and deletion of user data in tables of plugins. */
function accountDataOf(plugins: readonly ActivePlugin[]): AccountDataSource[] {
  return plugins
    .filter(({ plugin }) => 'tables' in plugin || 'exportUser' in plugin || 'forgetUser' in plugin)
    .map(({ name, plugin, boot }) => ({
      name,
      export: (ownerDid) =>
        plugin.exportUser === undefined
          ? noRows()
          : iterateInPlugin(name, () => returnedRows(plugin.exportUser?.(boot, ownerDid))),
      forget: async (ownerDid) =>
        (await inPlugin(name, async () => plugin.forgetUser?.(boot, ownerDid))) ?? {
          deleted: {},
          kept: [{ kind: 'tables', why: unknownRowsReason }],
        },
    }));
}
