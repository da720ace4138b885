import type { AnswerDraft } from './answer-draft.js';

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
  /** Another tab or device has begun it. */
  readonly isElsewhere?: boolean;
  /** The newest message that was known when it was sent. */
  readonly after?: string;
  readonly draft: AnswerDraft;
  readonly run?: { readonly runId: string; readonly status: string } | undefined;
}

export function isUnderWay({ phase }: LiveTurn): boolean {
  return phase === 'sending' || phase === 'reading';
}

/** Whether this page reads the answer, or has read it to its end. One that waited for its user may go on. */
export function isFollowed({ phase, run }: LiveTurn): boolean {
  return phase === 'sending' || phase === 'reading' || (phase === 'over' && run?.status !== 'waiting');
}
