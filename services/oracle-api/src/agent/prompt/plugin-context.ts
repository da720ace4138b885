import type { Logger } from '@mlango/service-kit/logging';
import type { TurnContext } from '../../plugins/api/runtime-context.js';
import type { PreferencesStore } from '../../store/preferences.js';
import type { StoredAttachment } from '../../store/sessions.js';
import type { Approvals } from '../loop/approvals.js';
import type { FrontendCalls } from '../loop/turn-tool.js';
import { turnEmit } from './emit.js';
import type { TurnSetting } from './turn-plugins.js';
import { type DelegationState, delegationState, type TurnUcanParts, turnUcan } from './turn-ucan.js';

/** What the facts of a turn are made from. */
export interface PluginContextDeps extends TurnUcanParts {
  readonly preferences: PreferencesStore;
  readonly frontend: FrontendCalls;
  /** What users have said of tools for good. */
  readonly approvals: Pick<Approvals, 'listRules' | 'requireApproval'>;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly newId: () => string;
}

export interface OpenPluginContext {
  readonly facts: TurnContext;
  /** What the user has to be told with the answer; each text is given once. */
  readonly takeNotices: () => string[];
  /** From now on nothing is told of the turn. */
  readonly close: () => void;
}

/** Of a conversation that came with the request, the files are in its messages. */
function earlierFiles({ turn, messages, earlier }: TurnSetting): StoredAttachment[] {
  const before = turn.request.history === undefined ? earlier : messages.slice(0, -1);
  return before.flatMap(({ attachments }) => attachments ?? []);
}

/** Made once: an error with a stack for each turn costs more than its use. */
const isOver = Object.freeze(new DOMException('The turn is over', 'AbortError'));

/** Gathers what the plugins of a turn are told. Rejects when the preferences are asked for and cannot be read. */
export async function openPluginContext(
  parts: PluginContextDeps,
  setting: TurnSetting,
  { withPreferences }: { withPreferences: boolean },
): Promise<OpenPluginContext> {
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
