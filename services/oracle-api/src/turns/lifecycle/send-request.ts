import type { LanguageModel } from '../../models/language-model.js';
import type { StoredAttachment } from '../../store/conversation-store.js';
import type { DeclaredTools } from '../context/declared-tools.js';
import type { MatrixSession } from '../context/matrix-session.js';
import type { TurnOutcome } from './turn.js';

/** A message of a user, as it was sent. */
export interface SendRequest extends DeclaredTools {
  readonly ownerDid: string;
  readonly sessionId: string;
  /** Used once in a session: it becomes the id of the answer. */
  readonly requestId: string;
  readonly message: string;
  readonly attachments?: readonly StoredAttachment[];
  readonly model: LanguageModel;
  readonly timezone?: string;
  /** Free-form, for plugins. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Invocations of the user for protected tools of other services, by the names of those tools. Neither kept nor logged. */
  readonly mcpInvocations?: Readonly<Record<string, string>>;
  /** The `addressKey` it came from, at whose cost keys are looked up in its turn. Neither kept nor logged. */
  readonly address?: string;
  /** The user's Matrix session, for what reads their files. Neither kept nor logged. */
  readonly matrix?: MatrixSession;
  /** Whether somebody reads along: then a log that cannot be written is a reason not to start. */
  readonly isFollowed: boolean;
}

/** A message in its session. */
export interface PlacedSend extends SendRequest {
  /** The Matrix room that the session was created for. */
  readonly roomId?: string | undefined;
}

export interface StartedSend {
  readonly kind: 'started';
  readonly runId: string;
  readonly status: 'running' | 'queued';
  readonly finished: Promise<TurnOutcome>;
}

export type SendResult =
  | StartedSend
  | { readonly kind: 'no_session' }
  | { readonly kind: 'request_id_used' }
  | { readonly kind: 'busy' };
