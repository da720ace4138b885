import type { Keyring } from '@mlango/crypto/keyring';
import type { Outbound } from '@mlango/outbound/outbound';
import type { Logger } from '@mlango/service-kit/logging';
import type { AccountDataSource } from '../../account/account.js';
import { openGate, type PaymentGate, type RetryingGate, withHoldRetry } from '../../agent/admission.js';
import type { PluggedTurn, TurnPlugins, TurnSetting } from '../../agent/prompt/turn-plugins.js';
import type { UsageMeter } from '../../agent/usage.js';
import { MessageFiles } from '../../files/message-files.js';
import type { OracleIdentity } from '../../identity/oracle-identity.js';
import type { OpenPool } from '../../shared-pools.js';
import type { StorageLimits } from '../../store/storage-limits.js';
import type { Grant } from '../api/grants.js';
import type { OraclePlugin, PluginBoot, PluginFigure, PublicRoute, Visibility } from '../api/plugin.js';
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

/** One plugin of an oracle, as its operator sees it. */
export interface PluginStatus {
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly visibility: Visibility;
  /** What it is set to. */
  readonly feature: Feature;
  readonly status: 'on' | 'off';
  /** Why it is off. */
  readonly reason?: string;
  /** Names of the tools it has in every turn. */
  readonly tools: readonly string[];
  /** What it is granted beside what is its own. */
  readonly needs: readonly Grant[];
  /** Whether it has tables of its own. */
  readonly hasTables: boolean;
  /** `GET /path`. */
  readonly routes: readonly string[];
  /** How often it has been passed over since the start. */
  readonly failures: number;
}

export interface PluginHostParts extends PluginTurnParts {
  /** In start order. */
  readonly plugins: readonly ResolvedPlugin[];
  /** What each plugin's schema read, by its name. */
  readonly settings: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly oracle: OracleIdentity;
  /** Read for plugins that are granted it. */
  readonly conversations: GrantSources['conversations'];
  /** What a plugin keeps in its tables; undefined for one without any. */
  readonly openTables: (plugin: OraclePlugin) => unknown;
  /** Seals what plugins keep. */
  readonly keyring: Keyring;
  readonly outbound: Outbound;
  readonly openPool: OpenPool;
  /** Counts what files of messages store. */
  readonly storage: Pick<StorageLimits, 'take'>;
  /** Public routes beside those that plugins name. */
  readonly authExcludedRoutes: readonly PublicRoute[];
  readonly logger: Logger;
  /** Called for each failure of a plugin in a turn. */
  readonly onFailure: (plugin: string) => void;
}

/** The plugins of an oracle: those that are on plug into its turns and its routes. */
export class PluginHost implements TurnPlugins {
  readonly #parts: PluginHostParts;
  readonly #active: readonly ActivePlugin[];
  /** Who was authenticated, by their requests: what a plugin writes into a request changes nothing. */
  readonly #callers: Callers;
  readonly #failures = new Map<string, number>();
  readonly #routes: PluginRouteTable;
  /** What the plugins ask for before a message is answered. */
  readonly gate: RetryingGate;
  /** Accepts files of requests and of tools' results; refuses all where no plugin accepts any. */
  readonly messageFiles: MessageFiles;

  private constructor(parts: PluginHostParts, active: readonly ActivePlugin[], callers: Callers) {
    this.#callers = callers;
    this.#parts = parts;
    this.#active = active;
    this.#routes = new PluginRouteTable(parts.authExcludedRoutes, callers);
    this.messageFiles = new MessageFiles(active.find(({ intake }) => intake !== undefined)?.intake, parts.storage);
    this.gate = withHoldRetry(combineGates(active.flatMap(({ gate }) => gate ?? [])));
  }

  /** Starts those that are on. Rejects with a `PluginError` when one cannot be started; those before it are closed by then. */
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

  /** Lets the plugins go of what they hold, the last one first. To be called once, when no turn runs any more. Never rejects. */
  close(): Promise<void> {
    return closePlugins(this.#active, this.#parts.logger);
  }

  /** Public routes as whoever runs the oracle named them. */
  get authExcludedRoutes(): readonly PublicRoute[] {
    return this.#parts.authExcludedRoutes;
  }

  /** What the plugins are told of each turn's usage. */
  get meters(): readonly UsageMeter[] {
    return metersOf(this.#active);
  }

  /** What the plugins tell of what they keep for all replicas together. */
  get figures(): readonly (PluginFigure & { readonly plugin: string })[] {
    return this.#active.flatMap(({ name, figures }) => figures.map((figure) => ({ ...figure, plugin: name })));
  }

  /** Those that keep something of users. */
  get keepers(): readonly AccountDataSource[] {
    return accountDataOf(this.#active);
  }

  /** What programs of a user may call and read, of each plugin. */
  get offers(): readonly PluginOffer[] {
    return this.#active.map(offerOf);
  }

  /** Whether the oracle or a plugin has a tool of that name in every turn: a client's tool of the same name is not offered. */
  hasTool(name: string): boolean {
    return (
      ownToolNames.includes(name) || this.#active.some(({ tools }) => tools.some(({ tool }) => tool.name === name))
    );
  }

  /** Those that are on, of that name. */
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

/** Several gates as one: the first demand holds. */
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

const unknownRowsReason = 'The plugin does not say which rows of its tables are yours. Ask whoever runs the oracle.';

/** Those of the plugins that keep something of users in tables of their own. */
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
