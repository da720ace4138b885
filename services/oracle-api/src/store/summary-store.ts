import type { Branch } from './branches.js';

/** What was said in a conversation before its newest turns, in short. */
export interface ConversationSummary {
  readonly text: string;
  /** What from outside was read for it, in words: it may say what that says. */
  readonly sources: readonly string[];
  /** The place (`PlacedMessage`) of the last turn that is in it. All turns before that one are in it, too. */
  readonly upTo: number;
}

/**
 * The summaries of conversations, one a branch of a session, the trunk too, where none is named. They go with their sessions.
 *
 * Ownership: every call takes the owner's DID; a session of somebody else is exactly like one that does not exist.
 * Order: a summary only ever goes forwards: one that reaches no further than what is kept is passed over, whichever replica
 * brings it and however late.
 * Failure: a store that cannot be reached rejects; nothing is half done.
 */
export interface SummaryStore {
  /** The one that reaches furthest of those of what lies on the branch and of no more: its own, and those of where it came from. */
  find(ownerDid: string, sessionId: string, branch?: Branch): Promise<ConversationSummary | undefined>;
  /** Keeps it in the place of one that reaches less far. Nothing where there is no such session. */
  advance(ownerDid: string, sessionId: string, summary: ConversationSummary, at: Date, branch?: Branch): Promise<void>;
}
