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

/** What came of a call of a tool: a result as JSON data, or why there is none, in words that a model can explain. */
export type ToolAnswer = FrontendAnswer;

/** What a turn tells its plugins, whichever plugin it is. */
export interface TurnContext {
  readonly user: {
    readonly did: string;
    /** The `addressKey` that the message came from, for shares of pools; absent in a turn that was resumed. For no log and no table. */
    readonly address?: string | undefined;
    /** IANA name, when known. */
    readonly timezone?: string | undefined;
    /** The time of the turn: the same for all that happens in it. */
    readonly currentTime: Date;
    /** Whether the user has let the oracle act for them. Looked up when it is asked for, once. Rejects when that cannot be. */
    delegation(): Promise<DelegationState>;
  };
  readonly session: {
    readonly id: string;
    /** Becomes the id of the answer. */
    readonly requestId: string;
    /** Of the turn, as payment gates and meters are told it. */
    readonly runId: string;
    /** The Matrix room that the session was created for; absent where it was for none. */
    readonly roomId?: string | undefined;
    /** What the client sent along with the message. */
    readonly metadata: Readonly<Record<string, unknown>>;
  };
  /** The message to answer. */
  readonly message: {
    /** Where the files are that came with it; what is in them only the plugin `attachments` knows. */
    readonly attachments: readonly StoredAttachment[];
  };
  /** What will answer. */
  readonly model: AnsweringModel;
  readonly history: {
    /** The conversation as the model is shown it, oldest first; the message to answer is the last one. */
    readonly messages: readonly ModelMessage[];
    /** The newest `count` of them, oldest first. */
    recent(count: number): readonly ModelMessage[];
    /** Of messages before the one to answer, oldest first. */
    readonly attachments: readonly StoredAttachment[];
  };
  /** How the user wants to be talked to; undefined for one who never said so, and without the plugin that keeps it. */
  readonly preferences: StoredPreferences | undefined;
  /** What the message says that the tab it came from can do, in the order in which it says so. */
  readonly declared: { readonly tools: readonly ModelTool[]; readonly actions: readonly DeclaredAction[] };
  readonly emit: TurnEmit;
  readonly ucan: TurnUcan;
  /** Aborted when the turn is stopped. */
  readonly abortSignal: AbortSignal;
  /** Aborted when the turn is over, however it ended: what was held for it can go. */
  readonly over: AbortSignal;
}

/** A turn as one plugin sees it. */
export interface RuntimeContext<Config = Readonly<Record<string, unknown>>> extends TurnContext {
  /** What will answer. `object` rejects for a plugin whose manifest does not need `model:object`. */
  readonly model: AnsweringModel & ObjectModel;
  /** The plugin's own settings, as its schema read them. */
  readonly config: Config;
  /** The shared state of the plugins before this one, by their names; in `getSharedState` of those it depends on alone. */
  readonly shared: Readonly<Record<string, unknown>>;
  /** What the plugin keeps of the user. */
  readonly kv: Kv;
  readonly logger: Logger;
  /** The call under way: in tools, and in what wraps them. */
  readonly toolCallId?: string;
  /** Tokens that came with the message, by names of tools. Only plugins that say they receive them are given them. */
  readonly mcpInvocations?: Readonly<Record<string, string>>;
  /** The user's Matrix session. Only plugins that say they receive it are given it; it is for no log and no frame. */
  readonly matrix?: MatrixSession;
}
