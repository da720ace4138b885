import type { Outbound } from '@mlango/outbound/outbound';
import type { EnvSource } from '@mlango/service-kit/env';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { Logger } from '@mlango/service-kit/logging';
import type { RateLimitStore } from '@mlango/service-kit/rate-limit';
import type { z } from 'zod';
import type { ForgottenRows, OwnRow } from '../../account/account-data.js';
import type { Converse } from '../../agent/converse.js';
import type { PluginDescription } from '../../agent/prompt/instructions.js';
import type { FileIntake, FilesFrom } from '../../files/file-intake.js';
import type { OracleIdentity } from '../../identity/oracle-identity.js';
import type { ModelFile } from '../../models/language-model.js';
import type { PaymentGate, UsageMeter } from '../../runs/payment.js';
import type { OpenPool } from '../../shared-pools.js';
import type { StoredAttachment } from '../../store/sessions.js';
import type { Grant, Grants } from './grants.js';
import type { PluginMiddlewares } from './plugin-middlewares.js';
import type { PluginKv, PluginTables, Vault } from './plugin-storage.js';
import type { PluginTool } from './plugin-tool.js';
import type { RuntimeContext } from './runtime-context.js';

export interface PluginManifest extends PluginDescription {
  /** Limits for its tools in a turn. */
  readonly limits?: PluginLimits;
  /** Grants beyond its own data: `boot.grants['sessions:read']`. Shown in `plugins.status()`. */
  readonly needs?: readonly Grant[];
}

/** The oracle's services for a plugin at start. */
export interface PluginBoot<Config = Readonly<Record<string, unknown>>, Own = unknown, Needs extends Grant = never> {
  /** The plugin's own settings, parsed by its schema. */
  readonly config: Config;
  readonly oracle: OracleIdentity;
  /** The grants that its manifest requests, and no others. */
  readonly grants: Pick<Grants, Needs>;
  /** The result of its `tables`; undefined without tables. */
  readonly own: Own;
  /** Key-value state of the plugin, without a separate table. */
  readonly kv: PluginKv;
  /** Encrypts data that the plugin stores. */
  readonly vault: Vault;
  /** HTTP access to addresses from users, tokens or settings: public addresses and `PRIVATE_HOSTS`. */
  readonly outbound: Outbound;
  /**
   * Opens a capacity pool that callers share, named after the plugin: shown in the metrics, with a share for each
   * address.
   */
  readonly openPool: OpenPool;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Additional services for routes, which are created after the oracle. */
export interface RouteServices {
  /** Sends a message to the oracle for a user of the plugin, `did:<its name>:…`, and waits for the answer. */
  readonly converse: Converse;
  /** The plugin's own rate-limit counters, shared by all replicas if Redis is configured; bounded. */
  readonly counts: RateLimitStore;
}

export type RouteBoot<
  Config = Readonly<Record<string, unknown>>,
  Own = unknown,
  Needs extends Grant = never,
> = PluginBoot<Config, Own, Needs> & RouteServices;

/** Registers routes on a separate scope: `app.get('/weather', { schema }, handler)`. */
export type PluginRoutes = (app: HttpApp) => void | Promise<void>;

/** The user's Matrix session, and invocation tokens by tool name. */
export type ReceivedSecret = 'matrix' | 'mcpInvocations';

/** A path as in its route (`/items/:id`), or all paths below one (`/items/*`); for one method, or for all. */
export type PublicRoute = string | { readonly method?: string; readonly path: string };

/**
 * An extension of an oracle. Only the first three members are required.
 *
 * Failures at start (`getTools`, `getResources`, `getMiddlewares`, `getPaymentGate`, `getUsageMeter`, `getFigures`,
 * `getRoutes`, `getAuthExcludedRoutes`) keep the oracle from starting.
 * Failures in a turn (`getRequestTools`, `getFiles`, `getSharedState`, a middleware, a tool) are logged and skipped.
 */
export interface OraclePlugin<Schema extends z.ZodObject = z.ZodObject, Own = unknown, Needs extends Grant = never> {
  /** Lower-case words joined by `-`; also the plugin's feature name. */
  readonly name: string;
  readonly version: string;
  readonly manifest: PluginManifest;
  /** Required plugins. If one of them is off, this plugin is off. */
  readonly dependsOn?: readonly string[];
  /** Plugins that precede it if they are on. */
  readonly softDependsOn?: readonly string[];
  /** Secrets of a message that this plugin receives in `rtCtx` under these names. Other plugins do not receive them. */
  readonly receives?: readonly ReceivedSecret[];
  /**
   * For mandatory plugins: if one of its middlewares fails, the turn fails, and a tool that it wraps returns no answer.
   * Without it, the turn continues without the plugin.
   */
  readonly failClosed?: boolean;
  /**
   * The plugin's environment variables. Checked together with the oracle's variables, before any resource is opened.
   */
  readonly configSchema?: Schema;
  /** Tables that only this plugin uses. */
  readonly tables?: PluginTables<Own>;
  /**
   * Whether its requirements are met, for a feature that is `auto`. Its own variables are also present if `X_FILE`
   * names them.
   */
  autoDetect?(env: EnvSource): boolean;
  /** Tools of every turn. */
  getTools?(boot: PluginBoot<z.output<Schema>, Own, Needs>): readonly PluginTool[];
  /** Resources that other programs of a user may read (`DOORS=mcp`). Prefixes are unique among plugins. */
  getResources?(boot: PluginBoot<z.output<Schema>, Own, Needs>): readonly PluginResource[];
  /** Tools of one turn. A tool with a used name is skipped. */
  getRequestTools?(context: RuntimeContext<z.output<Schema>>): readonly PluginTool[] | Promise<readonly PluginTool[]>;
  /** Files of the message to answer, for the model. Called once, before the first step. */
  getFiles?(context: RuntimeContext<z.output<Schema>>): readonly ModelFile[] | Promise<readonly ModelFile[]>;
  /** Other files of the conversation, for the model: one for each attachment, in the same order. */
  readFiles?(
    context: RuntimeContext<z.output<Schema>>,
    attachments: readonly StoredAttachment[],
    from: FilesFrom,
  ): readonly ModelFile[] | Promise<readonly ModelFile[]>;
  /** Accepts files inside requests of other protocols. At most one plugin has it. */
  getFileIntake?(boot: PluginBoot<z.output<Schema>, Own, Needs>): FileIntake;
  getMiddlewares?(boot: PluginBoot<z.output<Schema>, Own, Needs>): PluginMiddlewares;
  /**
   * Checks each message before its turn. The first plugin that demands payment decides; if a gate fails, the message is
   * refused. Also notified when the run has ended.
   */
  getPaymentGate?(boot: PluginBoot<z.output<Schema>, Own, Needs>): PaymentGate;
  /** Receives the usage of each turn, once. */
  getUsageMeter?(boot: PluginBoot<z.output<Schema>, Own, Needs>): UsageMeter;
  /** State shared by all replicas that an operator should see: exported as metrics. */
  getFigures?(boot: PluginBoot<z.output<Schema>, Own, Needs>): readonly PluginFigure[];
  /** Value for later plugins under this plugin's name in `shared`, created for each turn. */
  getSharedState?(context: RuntimeContext<z.output<Schema>>): unknown;
  /** Routes, authenticated unless `getAuthExcludedRoutes` lists them. Each entry has a separate scope. */
  getRoutes?(boot: RouteBoot<z.output<Schema>, Own, Needs>): readonly PluginRoutes[];
  /**
   * Exports the user's rows of the plugin's tables: without secrets, read page by page. The oracle exports `kv` itself.
   */
  exportUser?(boot: PluginBoot<z.output<Schema>, Own, Needs>, ownerDid: string): AsyncIterable<OwnRow>;
  /**
   * Deletes the user's rows. The user's turns are stopped first. Called once before the user's sessions are deleted, and once after,
   * when no work of the user is running.
   */
  forgetUser?(boot: PluginBoot<z.output<Schema>, Own, Needs>, ownerDid: string): Promise<ForgottenRows>;
  /** Routes that need no authentication. Each must be one of `getRoutes`. */
  getAuthExcludedRoutes?(boot: PluginBoot<z.output<Schema>, Own, Needs>): readonly PublicRoute[];
  /**
   * Releases the plugin's resources. Called once: when the oracle closes, after its turns have ended, or when a later failure keeps
   * the oracle from starting. Later plugins are already closed, the stores are still open. The limit is 5 seconds; a failure is
   * logged, and the other plugins and stores still close.
   */
  close?(boot: PluginBoot<z.output<Schema>, Own, Needs>): void | Promise<void>;
}

/**
 * Limits for the tools of a plugin in one turn. The operator's setting (`PLUGIN_LIMITS`) overrides the plugin's own. A
 * turn as a whole has its own limits (`TURN_STEPS`, `TURN_SAME_CALLS`, `TURN_TIMEOUT_SECONDS`).
 */
export interface PluginLimits {
  /** Steps of a turn that call at least one of the tools. */
  readonly steps?: number;
  /**
   * Maximum number of identical calls of one tool. A tool's own `sameCalls` overrides it, unless the operator sets it.
   */
  readonly sameCalls?: number;
  /** Total working time of all calls, in seconds. */
  readonly seconds?: number;
}

/** A kind of resource that other programs may read, each with its own address: of one user, or public. */
export interface PluginResource {
  /** Prefix of the addresses, followed by the id of the resource: `memory:`, `did:ixo:entity:`. */
  readonly uriPrefix: string;
  /** Singular name of the resource: `memory`. */
  readonly name: string;
  /** Description of the resource at such an address. */
  readonly description: string;
  /** Resources of this user, newest first. Without it no resource is listed, and a client needs the id to read one. */
  list?(ownerDid: string, page: { readonly limit: number; readonly offset: number }): Promise<readonly ListedThing[]>;
  /** The resource as JSON data; undefined if the id does not exist or is not readable by this user. */
  read(ownerDid: string, id: string, signal: AbortSignal): Promise<unknown>;
}

export interface ListedThing {
  readonly id: string;
  readonly title: string;
}

/** A metric of the state that a plugin shares among all replicas, by states. */
export interface PluginFigure {
  /** Follows `oracle_<plugin>_`: lower-case words joined by `_`, the unit last. */
  readonly name: string;
  /** Help text of the metric, one sentence. */
  readonly help: string;
  /**
   * Called when metrics are scraped, at most once in ten seconds: it must be cheap. If it rejects, the metric is left
   * out.
   */
  readonly read: () => Promise<Readonly<Record<string, number>>>;
}
