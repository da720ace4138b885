import type { Logger } from '@mlango/service-kit/logging';
import type { FrontendAnswer } from '../../agent/loop/turn-tool.js';
import type { TurnEmit } from '../../agent/prompt/emit.js';
import type { DelegationState, TurnUcan } from '../../agent/prompt/turn-ucan.js';
import type { DeclaredAction, MatrixSession } from '../../agent/turn-request.js';
import type { AnsweringModel, ModelMessage, ModelTool } from '../../models/language-model.js';
import type { StoredPreferences } from '../../store/preferences.js';
import type { StoredAttachment } from '../../store/sessions.js';
import type { ObjectModel } from './grants.js';
import type { Kv } from './plugin-storage.js';

/** Outcome of a tool call: a result as JSON data, or an error text that a model can explain. */
export type ToolAnswer = FrontendAnswer;

/** Context of a turn, the same for all plugins. */
export interface TurnContext {
  readonly user: {
    readonly did: string;
    /**
     * The `addressKey` of the message's sender, for shares of pools; absent in a resumed turn. Never log or store it.
     */
    readonly address?: string | undefined;
    /** IANA name, if known. */
    readonly timezone?: string | undefined;
    /** The time of the turn, constant during the turn. */
    readonly currentTime: Date;
    /**
     * Whether the user has delegated authority to the oracle. Looked up once, on demand. Rejects if the lookup fails.
     */
    delegation(): Promise<DelegationState>;
  };
  readonly session: {
    readonly id: string;
    /** Becomes the id of the answer. */
    readonly requestId: string;
    /** Id of the run, as payment gates and usage meters receive it. */
    readonly runId: string;
    /** The Matrix room that the session was created for, if any. */
    readonly roomId?: string | undefined;
    /** Metadata that the client sent with the message. */
    readonly metadata: Readonly<Record<string, unknown>>;
  };
  /** The message to answer. */
  readonly message: {
    /** Locations of the message's files. Only the plugin `attachments` can read their content. */
    readonly attachments: readonly StoredAttachment[];
  };
  /** The model that will answer. */
  readonly model: AnsweringModel;
  readonly history: {
    /** The conversation as the model receives it, oldest first; the message to answer is the last one. */
    readonly messages: readonly ModelMessage[];
    /** The newest `count` messages, oldest first. */
    recent(count: number): readonly ModelMessage[];
    /** Attachments of earlier messages, oldest first. */
    readonly attachments: readonly StoredAttachment[];
  };
  /** The user's preferences for answers; undefined if the user has set none or the preferences plugin is off. */
  readonly preferences: StoredPreferences | undefined;
  /** Tools and actions that the message declares for its tab, in the order of the message. */
  readonly declared: { readonly tools: readonly ModelTool[]; readonly actions: readonly DeclaredAction[] };
  readonly emit: TurnEmit;
  readonly ucan: TurnUcan;
  /** Aborted when the turn is stopped. */
  readonly abortSignal: AbortSignal;
  /** Aborted when the turn is over, for any reason: resources of the turn can be released. */
  readonly over: AbortSignal;
}

/** Context of a turn for one plugin. */
export interface RuntimeContext<Config = Readonly<Record<string, unknown>>> extends TurnContext {
  /** The model that will answer. `object` rejects unless the plugin's manifest needs `model:object`. */
  readonly model: AnsweringModel & ObjectModel;
  /** The plugin's own settings, parsed by its schema. */
  readonly config: Config;
  /** The shared state of earlier plugins, by name; in `getSharedState`, only of its dependencies. */
  readonly shared: Readonly<Record<string, unknown>>;
  /** The plugin's key-value state of the user. */
  readonly kv: Kv;
  readonly logger: Logger;
  /** Id of the current call: in tools, and in middlewares around them. */
  readonly toolCallId?: string;
  /** Tokens of the message, by tool name. Only for plugins that declare it in `receives`. */
  readonly mcpInvocations?: Readonly<Record<string, string>>;
  /** The user's Matrix session. Only for plugins that declare it in `receives`. Never log it or send it to a client. */
  readonly matrix?: MatrixSession;
}
