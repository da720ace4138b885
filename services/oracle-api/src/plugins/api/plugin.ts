import type { Outbound } from '@mlango/outbound/outbound';
import type { EnvSource } from '@mlango/service-kit/env';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { Logger } from '@mlango/service-kit/logging';
import type { RateLimitStore } from '@mlango/service-kit/rate-limit';
import type { z } from 'zod';
import type { PaymentGate } from '../../agent/admission.js';
import type { Converse } from '../../agent/converse.js';
import type { UsageMeter } from '../../agent/usage.js';
import type { FileIntake, FilesFrom } from '../../files/file-intake.js';
import type { OracleIdentity } from '../../identity/oracle-identity.js';
import type { ModelFile } from '../../models/language-model.js';
import type { OpenPool } from '../../shared-pools.js';
import type { StoredAttachment } from '../../store/sessions.js';
import type { ForgottenRows, OwnRow } from './account-data.js';
import type { Grant, Grants } from './grants.js';
import type { PluginMiddlewares } from './plugin-middlewares.js';
import type { PluginKv, PluginTables, Vault } from './plugin-storage.js';
import type { PluginTool } from './plugin-tool.js';
import type { RuntimeContext } from './runtime-context.js';

/**
 * How the model learns of a plugin. `always`: its tools are there in every turn. `on-demand`: the model is told that it
 * exists, and asks for its tools when it needs them. `silent`: the model never hears of it, so it has no tools.
 */
export type Visibility = 'always' | 'on-demand' | 'silent';

export interface PluginManifest {
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  /** For the model, after "Use it when". */
  readonly whenToUse: string;
  readonly visibility: Visibility;
  /** What its tools may take of a turn. */
  readonly limits?: PluginLimits;
  /** What it is granted beside what is its own: `boot.grants['sessions:read']`. Shown in `plugins.status()`. */
  readonly needs?: readonly Grant[];
}

/** The oracle as a plugin finds it at start. */
export interface PluginBoot<Config = Readonly<Record<string, unknown>>, Own = unknown, Needs extends Grant = never> {
  /** The plugin's own settings, as its schema read them. */
  readonly config: Config;
  readonly oracle: OracleIdentity;
  /** What its manifest needs, and nothing else. */
  readonly grants: Pick<Grants, Needs>;
  /** What its `tables` opened; undefined without any. */
  readonly own: Own;
  /** What the plugin keeps without a table of its own. */
  readonly kv: PluginKv;
  /** Seals what the plugin keeps. */
  readonly vault: Vault;
  /** The way to addresses that users, tokens or settings name: to public ones, and to `PRIVATE_HOSTS`. */
  readonly outbound: Outbound;
  /** Opens a pool of capacity that callers share, named after the plugin: shown in the metrics, with a share for each address. */
  readonly openPool: OpenPool;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** What routes of plugins are given: the oracle itself is there by then. */
export interface RouteDoors {
  /** Says something to the oracle for a user that the plugin brings along, `did:<its name>:…`, and waits for the answer. */
  readonly converse: Converse;
  /** The plugin's own counts in windows of time, over all replicas where there is Redis; bounded. */
  readonly counts: RateLimitStore;
}

export type RouteBoot<
  Config = Readonly<Record<string, unknown>>,
  Own = unknown,
  Needs extends Grant = never,
> = PluginBoot<Config, Own, Needs> & RouteDoors;

/** Routes on a scope of their own: `app.get('/weather', { schema }, handler)`. */
export type PluginRoutes = (app: HttpApp) => void | Promise<void>;

/** The user's Matrix session, and tokens for tools by the tools' names. */
export type ReceivedSecret = 'matrix' | 'mcpInvocations';

/** A path as its route has it (`/items/:id`), or all paths below one (`/items/*`); of one method, or of all. */
export type PublicRoute = string | { readonly method?: string; readonly path: string };

/**
 * Something that can be added to an oracle. Each member but the first three may be left out.
 *
 * What fails at start (`getTools`, `getResources`, `getMiddlewares`, `getPaymentGate`, `getUsageMeter`, `getFigures`, `getRoutes`,
 * `getAuthExcludedRoutes`) keeps the oracle from starting.
 * What fails in a turn (`getRequestTools`, `getFiles`, `getSharedState`, a middleware, a tool) is logged and passed over.
 */
export interface OraclePlugin<Schema extends z.ZodObject = z.ZodObject, Own = unknown, Needs extends Grant = never> {
  /** Lower-case words joined by `-`: its name among the features too. */
  readonly name: string;
  readonly version: string;
  readonly manifest: PluginManifest;
  /** Plugins it cannot be without. Where one of them is off, so is this one. */
  readonly dependsOn?: readonly string[];
  /** Plugins that come before it, where they are on. */
  readonly softDependsOn?: readonly string[];
  /** Secrets that come with a message and that it is given, in `rtCtx` under these names. Other plugins are not. */
  readonly receives?: readonly ReceivedSecret[];
  /**
   * For what must not be gone without: where one of its middlewares fails, so does the turn, and a tool that it wraps answers
   * nothing. Without it the turn goes on as if the plugin were not there.
   */
  readonly failClosed?: boolean;
  /** The environment variables it reads. Checked together with those of the oracle, before anything is opened. */
  readonly configSchema?: Schema;
  /** Tables that are its alone. */
  readonly tables?: PluginTables<Own>;
  /** Whether what it needs is there, for a feature that is `auto`. Its own variables are given also when `X_FILE` names them. */
  autoDetect?(env: EnvSource): boolean;
  /** Tools of every turn. */
  getTools?(boot: PluginBoot<z.output<Schema>, Own, Needs>): readonly PluginTool[];
  /** What other programs of a user may read (`DOORS=mcp`). No two plugins have the same prefix. */
  getResources?(boot: PluginBoot<z.output<Schema>, Own, Needs>): readonly PluginResource[];
  /** Tools of one turn. A name that is taken is left out. */
  getRequestTools?(context: RuntimeContext<z.output<Schema>>): readonly PluginTool[] | Promise<readonly PluginTool[]>;
  /** What came with the message to answer, for the model: asked once, before the first step. */
  getFiles?(context: RuntimeContext<z.output<Schema>>): readonly ModelFile[] | Promise<readonly ModelFile[]>;
  /** Other files of the conversation, for the model: one for each attachment, in their order. */
  readFiles?(
    context: RuntimeContext<z.output<Schema>>,
    attachments: readonly StoredAttachment[],
    from: FilesFrom,
  ): readonly ModelFile[] | Promise<readonly ModelFile[]>;
  /** Accepts files that come inside requests of other protocols. Of one plugin alone. */
  getFileIntake?(boot: PluginBoot<z.output<Schema>, Own, Needs>): FileIntake;
  getMiddlewares?(boot: PluginBoot<z.output<Schema>, Own, Needs>): PluginMiddlewares;
  /** Asked before each message. The first plugin that demands something is obeyed; one that fails refuses the message. Told also when the run has ended. */
  getPaymentGate?(boot: PluginBoot<z.output<Schema>, Own, Needs>): PaymentGate;
  /** Told once of what each turn took. */
  getUsageMeter?(boot: PluginBoot<z.output<Schema>, Own, Needs>): UsageMeter;
  /** What it keeps for all replicas together, as far as an operator should see it: told among the metrics. */
  getFigures?(boot: PluginBoot<z.output<Schema>, Own, Needs>): readonly PluginFigure[];
  /** What plugins after this one find under its name in `shared`, made anew for each turn. */
  getSharedState?(context: RuntimeContext<z.output<Schema>>): unknown;
  /** Protected unless named by `getAuthExcludedRoutes`. Each entry has a scope of its own. */
  getRoutes?(boot: RouteBoot<z.output<Schema>, Own, Needs>): readonly PluginRoutes[];
  /**
   * What its tables keep of a user, for that user to take along: without secrets, read a part at a time as it is asked for. What is
   * in `kv` the oracle tells of itself.
   */
  exportUser?(boot: PluginBoot<z.output<Schema>, Own, Needs>, ownerDid: string): AsyncIterable<OwnRow>;
  /**
   * Deletes it. The user's turns have been stopped; it is asked once before their sessions are gone, and once more after, when nothing
   * of theirs runs any more.
   */
  forgetUser?(boot: PluginBoot<z.output<Schema>, Own, Needs>, ownerDid: string): Promise<ForgottenRows>;
  /** Which of its routes need no authentication. Each must be one of `getRoutes`. */
  getAuthExcludedRoutes?(boot: PluginBoot<z.output<Schema>, Own, Needs>): readonly PublicRoute[];
  /**
   * Lets go of what the plugin holds. Called once: when the oracle closes, after its turns have ended, or when something that
   * comes later keeps it from starting. The plugins after this one are closed by then, the stores are still open. It has 5
   * seconds; a failure is logged, and keeps nothing else from closing.
   */
  close?(boot: PluginBoot<z.output<Schema>, Own, Needs>): void | Promise<void>;
}

/**
 * What the tools of a plugin may take of one turn. What whoever runs the oracle sets (`PLUGIN_LIMITS`) goes before what the plugin says of
 * itself; a turn as a whole has limits of its own (`TURN_STEPS`, `TURN_SAME_CALLS`, `TURN_TIMEOUT_SECONDS`).
 */
export interface PluginLimits {
  /** Steps of a turn in which any of them is called. */
  readonly steps?: number;
  /** How often the very same call of one is made. A tool that says so itself (`sameCalls`) keeps to that, unless it is set from outside. */
  readonly sameCalls?: number;
  /** How long they may work, all calls together. */
  readonly seconds?: number;
}

/** A kind of things that other programs may read, each at an address of its own: a user's own, or everybody's. */
export interface PluginResource {
  /** What the addresses begin with; the id of a thing follows: `memory:`, `did:ixo:entity:`. */
  readonly uriPrefix: string;
  /** Of one such thing: `memory`. */
  readonly name: string;
  /** What there is at such an address. */
  readonly description: string;
  /** Those of this user, newest first. Without it none is listed, and whoever knows an id can read. */
  list?(ownerDid: string, page: { readonly limit: number; readonly offset: number }): Promise<readonly ListedThing[]>;
  /** The thing as JSON data; undefined where there is none of that id, or none for this user. */
  read(ownerDid: string, id: string, signal: AbortSignal): Promise<unknown>;
}

export interface ListedThing {
  readonly id: string;
  readonly title: string;
}

/** A figure of what a plugin keeps for all replicas together, by its states. */
export interface PluginFigure {
  /** Follows `oracle_<plugin>_`: lower-case words joined by `_`, the unit last. */
  readonly name: string;
  /** A sentence for whoever reads the metrics. */
  readonly help: string;
  /** Asked when the metrics are, once in ten seconds at most: it has to be cheap. What it rejects with leaves the figure out. */
  readonly read: () => Promise<Readonly<Record<string, number>>>;
}
