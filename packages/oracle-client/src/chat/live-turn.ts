import type { IRunUsage } from '../streams/run-event.js';
import type { AnswerDraft } from './answer-draft.js';
import type { Instead } from './branch-point.js';
import type { SendOptions } from './chat-options.js';

/** A message of this page, from the moment it was sent. */
export interface SentMessage {
  readonly id: string;
  readonly text: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly attachments?: readonly Readonly<Record<string, unknown>>[];
}

/**
 * How far a turn is: on its way to the oracle, read from its stream, only heard of over the socket, over, or not taken by
 * the oracle.
 */
export type TurnPhase = 'sending' | 'reading' | 'heard' | 'over' | 'unsent';

/** A turn that this page has seen happen. */
export interface LiveTurn {
  readonly requestId: string;
  readonly phase: TurnPhase;
  /** Undefined where nobody has told this page. */
  readonly sent?: SentMessage;
  /** What went along with it, to be sent again. */
  readonly options?: SendOptions;
  /** What it stands in the place of. */
  readonly instead?: Instead | undefined;
  /** Another tab or device has begun it. */
  readonly isElsewhere?: boolean;
  /** The newest message that was known when it was sent. */
  readonly after?: string;
  /** It is on a branch that is not shown: only what the oracle lists of it is. */
  readonly isAside?: boolean;
  readonly draft: AnswerDraft;
  readonly run?: { readonly runId: string; readonly status: string; readonly usage?: IRunUsage } | undefined;
}

/** A turn whose message is on its way. @param after the newest message that is known */
export function sentTurn(
  requestId: string,
  text: string,
  options: SendOptions,
  after: string | undefined,
  instead?: Instead,
): Omit<LiveTurn, 'draft'> {
  const { attachments } = options;
  const files = attachments === undefined ? {} : { attachments };
  const sent = { id: `${requestId}~human`, text, createdAt: new Date().toISOString(), ...files };
  return { requestId, phase: 'sending', sent, options, instead, ...(after === undefined ? {} : { after }) };
}

export function isUnderWay({ phase }: LiveTurn): boolean {
  return phase === 'sending' || phase === 'reading';
}

/** Whether this page reads the answer, or has read it to its end. One that waited for its user may go on. */
export function isFollowed({ phase, run }: LiveTurn): boolean {
  return phase === 'sending' || phase === 'reading' || (phase === 'over' && run?.status !== 'waiting');
}
