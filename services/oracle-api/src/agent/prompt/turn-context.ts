import type { Logger } from '@mlango/service-kit/logging';
import type { TurnContext } from '../../plugins/api/runtime-context.js';
import type { PreferencesStore } from '../../store/preferences.js';

import type { StoredAttachment } from '../../store/sessions.js';
import type { Approvals } from '../loop/sql-approvals.js';
import type { FrontendCalls } from '../loop/turn-tool.js';
import { turnEmit } from './emit.js';
import type { TurnSetting } from './turn-plugins.js';
import { type DelegationState, delegationState, type TurnUcanParts, turnUcan } from './turn-ucan.js';

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
