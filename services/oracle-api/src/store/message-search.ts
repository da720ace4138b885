import type { StoredMessage } from './conversation-store.js';

/** A message that was found. */
export interface FoundMessage extends Pick<StoredMessage, 'messageId' | 'type' | 'createdAt'> {
  readonly sessionId: string;
  /** Absent until its session has been given one. */
  readonly title?: string;
  /** Some of its words around those that were looked for, as plain text. */
  readonly snippet: string;
  /** Messages that were added later have greater ones. */
  readonly position: number;
}

/**
 * Finds messages by their words, over all sessions of their owner.
 *
 * Ownership: sees only what is that owner's.
 * Words: a message is found that has all words of the query, in whatever case; `"so"` in that order, `or` either, `-` not. Any
 * text is a query; one without a word finds nothing.
 * Branches: those of all branches; a message that was answered more than once is found once.
 * Order: the newest first.
 * Failure: a store that cannot be reached rejects.
 */
export interface MessageSearch {
  /** @param range at most `limit`, and with `before` only those of smaller positions */
  search(
    ownerDid: string,
    query: string,
    range: { readonly limit: number; readonly before?: number | undefined },
  ): Promise<FoundMessage[]>;
}
