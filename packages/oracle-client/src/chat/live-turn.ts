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
  /** Undefined for a turn that this page did not begin. */
  readonly sent?: SentMessage;
  /** The newest message that was known when it was sent. */
  readonly after?: string;
  readonly draft: AnswerDraft;
  readonly run?: { readonly runId: string; readonly status: string };
}

export function isUnderWay({ phase }: LiveTurn): boolean {
  return phase === 'sending' || phase === 'reading';
}
