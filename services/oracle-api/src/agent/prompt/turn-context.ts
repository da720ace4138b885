import type { Logger } from '@mlango/service-kit/logging';
import type { AnsweringModel, ModelMessage, ModelTool } from '../../models/language-model.js';
import type { PreferencesStore, StoredPreferences } from '../../store/preferences.js';
import type { StoredAttachment } from '../../store/sessions.js';
import type { Approvals } from '../loop/sql-approvals.js';
import type { FrontendCalls } from '../loop/turn-tool.js';
import type { DeclaredAction } from '../turn-request.js';
import { type TurnEmit, turnEmit } from './emit.js';
import type { TurnSetting } from './turn-plugins.js';
import { type DelegationState, delegationState, type TurnUcan, type TurnUcanParts, turnUcan } from './turn-ucan.js';

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

/** Dependencies of the plugin context. */
export interface TurnContextDeps extends TurnUcanParts {
  readonly preferences: PreferencesStore;
  readonly frontend: FrontendCalls;
  /** Users' approval rules for tools. */
  readonly approvals: Pick<Approvals, 'listRules' | 'requireApproval'>;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly newId: () => string;
}

export interface OpenTurnContext {
  readonly facts: TurnContext;
  /** Notices for the user with the answer; each text is returned once. */
  readonly takeNotices: () => string[];
  /** Stops the events of the turn. */
  readonly close: () => void;
}

/** The files of a conversation from the request are in its messages. */
function earlierFiles({ turn, messages, earlier }: TurnSetting): StoredAttachment[] {
  const before = turn.request.history === undefined ? earlier : messages.slice(0, -1);
  return before.flatMap(({ attachments }) => attachments ?? []);
}

/** Shared, because an error with a stack for each turn is expensive. */
const isOver = Object.freeze(new DOMException('The turn is over', 'AbortError'));

/** Collects the context of a turn for its plugins. Rejects when required preferences cannot be read. */
export async function openTurnContext(
  parts: TurnContextDeps,
  setting: TurnSetting,
  { withPreferences }: { withPreferences: boolean },
): Promise<OpenTurnContext> {
  const { turn, events, messages } = setting;
  const { request, run, signal } = turn;
  const { preferences: store, now, newId, frontend, logger } = parts;
  const did = run.ownerDid;
  const notices: string[] = [];
  const over = new AbortController();
  let delegation: Promise<DelegationState> | undefined;
  const found = async () => (setting.preferences ?? { found: await store.find(did, turn.roomId) }).found;
  const facts: TurnContext = {
    user: {
      did,
      address: request.address,
      timezone: request.timezone,
      currentTime: now(),
      delegation: () => {
        delegation ??= delegationState(parts, did);
        return delegation;
      },
    },
    session: {
      id: run.sessionId,
      requestId: run.requestId,
      runId: run.runId,
      roomId: turn.roomId,
      metadata: request.metadata ?? {},
    },
    message: { attachments: request.attachments ?? [] },
    model: request.model,
    history: {
      messages,
      recent: (count) => (count > 0 ? messages.slice(-count) : []),
      attachments: earlierFiles(setting),
    },
    preferences: withPreferences ? await found() : undefined,
    declared: { tools: request.tools ?? [], actions: request.agActions ?? [] },
    emit: turnEmit({
      turn,
      events,
      frontend,
      isOver: () => over.signal.aborted,
      now,
      newId,
      onMisshapen: (event, fields) => logger.warn({ event, fields }, 'plugin event does not fit its schema'),
    }),
    ucan: turnUcan(parts, { did, address: request.address }, (text) => notices.push(text)),
    abortSignal: signal,
    over: over.signal,
  };
  return {
    facts,
    takeNotices: () => notices.splice(0),
    close: () => over.abort(isOver),
  };
}
