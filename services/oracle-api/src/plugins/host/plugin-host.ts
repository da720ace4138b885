import type { Keyring } from '@mlango/crypto/keyring';
import type { Outbound } from '@mlango/outbound/outbound';
import type { Logger } from '@mlango/service-kit/logging';
import type { AccountDataSource } from '../../account/account.js';
import { type LettingGate, lettingGo } from '../../agent/admission.js';
import type { PluggedTurn, TurnPlugins, TurnSetting } from '../../agent/prompt/turn-plugins.js';
import type { UsageMeter } from '../../agent/usage.js';
import { MessageFiles } from '../../files/message-files.js';
import type { OracleIdentity } from '../../identity/oracle-identity.js';
import type { OpenPool } from '../../shared-pools.js';
import type { StorageLimits } from '../../store/storage-limits.js';
import type { OraclePlugin, PluginBoot, PluginRoutes, PublicRoute } from '../api/plugin.js';
import { PluginError } from '../api/plugin-error.js';
import type { PluginFigure } from '../api/plugin-figures.js';
import { vaultOf } from '../api/vault.js';
import { bundledNames } from '../bundled.js';
import { type ActivePlugin, bootPlugins, ownToolNames } from './boot-plugins.js';
import { Callers } from './callers.js';
import { returnedPublicRoutes, returnedRoutes } from './check-returned.js';
import { closePlugins } from './close-plugins.js';
import { gateOf } from './gate-of.js';
import { type GrantSources, grantsOf } from './grants-of.js';
import { keepersOf } from './keepers-of.js';
import { type HostDoors, ownDoors } from './own-doors.js';
import { type PluginTurnParts, plugIn } from './plug-in.js';
import { offerOf, type PluginOffer } from './plugin-offer.js';
import type { PluginStatus } from './plugin-status.js';
import { isNamed } from './public-routes.js';
import type { ResolvedPlugin } from './resolve-features.js';
import { starting } from './starting.js';
import { pluginKv } from './state/kv-of.js';

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

/** Routes of one plugin, and which of them are public. */
export interface HostedRoutes {
  readonly plugin: string;
  readonly routes: readonly PluginRoutes[];
  isPublic(method: string, path: string): boolean;
  /** To be told of each request whose caller is known, before anything of the plugin sees it. */
  onCaller(request: object, did: string): void;
  /** To be told of each route that is there. */
  onRoute(method: string, path: string): void;
  /** Called once its routes are registered. @throws PluginError for a public route that does not exist. */
  onRegistered(): void;
}

/** The plugins of an oracle: those that are on plug into its turns and its routes. */
export class PluginHost implements TurnPlugins {
  readonly #parts: PluginHostParts;
  readonly #active: readonly ActivePlugin[];
  /** Who was authenticated, by their requests: what a plugin writes into a request changes nothing. */
  readonly #callers: Callers;
  readonly #failures = new Map<string, number>();
  readonly #routes = new Map<string, { readonly method: string; readonly path: string }[]>();
  /** What the plugins ask for before a message is answered. */
  readonly gate: LettingGate;
  /** Accepts files of requests and of tools' results; refuses all where no plugin accepts any. */
  readonly messageFiles: MessageFiles;

  private constructor(parts: PluginHostParts, active: readonly ActivePlugin[], callers: Callers) {
    this.#callers = callers;
    this.#parts = parts;
    this.#active = active;
    this.messageFiles = new MessageFiles(active.find(({ intake }) => intake !== undefined)?.intake, parts.storage);
    this.gate = lettingGo(gateOf(active.flatMap(({ gate }) => gate ?? [])));
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
        grants: grantsOf(sources, plugin),
        own: starting(name, () => openTables(plugin)),
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
    return keepersOf(this.#active);
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
    return plugIn({ ...this.#parts, plugins: this.#active, callers: this.#callers, messageFiles, report }, setting);
  }

  routes(doors: HostDoors): HostedRoutes[] {
    return this.#active.map(({ name, plugin, boot }) => {
      const named = starting(name, () => returnedPublicRoutes(plugin.getAuthExcludedRoutes?.(boot)));
      const open = [...named, ...this.#parts.authExcludedRoutes];
      return {
        plugin: name,
        routes: starting(name, () => returnedRoutes(plugin.getRoutes?.({ ...boot, ...ownDoors(name, doors) }))),
        isPublic: (method, path) => isNamed(open, method, path),
        onCaller: (request, did) => this.#callers.add(request, { did }),
        onRoute: (method, path) => this.#routes.set(name, [...(this.#routes.get(name) ?? []), { method, path }]),
        onRegistered: () => {
          const missing = named.find((route) => !this.#hasRoute(route, [name]));
          if (missing !== undefined)
            throw new PluginError(unknownRoute(`plugin "${name}": getAuthExcludedRoutes`, missing));
        },
      };
    });
  }

  /** Called once all routes are registered. @throws PluginError for an excluded route that no plugin has. */
  checkExcludedRoutes(): void {
    // A plugin that is off may have had the route.
    const isAnyOff = this.#parts.plugins.some(
      ({ plugin, isOn }) => !isOn && plugin.getRoutes !== undefined && !bundledNames.includes(plugin.name),
    );
    const names = this.#active.map(({ name }) => name);
    const missing = this.#parts.authExcludedRoutes.find((route) => !this.#hasRoute(route, names));
    if (missing !== undefined && !isAnyOff) throw new PluginError(unknownRoute('authExcludedRoutes', missing));
  }

  #hasRoute(route: PublicRoute, plugins: readonly string[]): boolean {
    const routes = plugins.flatMap((name) => this.#routes.get(name) ?? []);
    // Fastify adds the HEAD of a GET later.
    const withHead = routes.flatMap((one) =>
      one.method.toUpperCase() === 'GET' ? [one, { ...one, method: 'HEAD' }] : [one],
    );
    return withHead.some(({ method, path }) => isNamed([route], method, path));
  }

  status(): PluginStatus[] {
    return this.#parts.plugins.map(({ plugin, feature, isOn, reason }) => {
      const { name, version, manifest } = plugin;
      const active = this.#active.find((other) => other.name === name);
      const routes = this.#routes.get(name) ?? [];
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
        routes: routes.filter(({ method }) => method !== 'HEAD').map(({ method, path }) => `${method} ${path}`),
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

function unknownRoute(where: string, route: PublicRoute): string {
  const { method, path } = typeof route === 'string' ? { method: undefined, path: route } : route;
  const named = method === undefined ? path : `${method} ${path}`;
  return `${where}: there is no route ${named}: use the path as the route declares it, with its prefix`;
}

function metersOf(plugins: readonly ActivePlugin[]): UsageMeter[] {
  return plugins.flatMap(({ meter }) => meter ?? []);
}
