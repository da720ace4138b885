import type { MessagePage, MessageRecord } from './message-record.js';

/**
 * What is known of a conversation once its newest page was read again. Older messages stay where the page reaches back to
 * them; messages that are as they were stay the same objects, so that nobody shows them anew. Pure.
 */
export function joinNewest(known: MessagePage | undefined, newest: MessagePage): MessagePage {
  if (known === undefined) return newest;
  const byId = new Map(known.messages.map((record) => [record.id, record]));
  const fresh = newest.messages.map((record) => kept(byId.get(record.id), record));
  const first = newest.messages[0];
  const at = first === undefined ? -1 : known.messages.findIndex(({ id }) => id === first.id);
  // Nothing in common: what lies between is not known, or all that was known is gone.
  if (at <= 0) return { messages: fresh, prevCursor: newest.prevCursor };
  return { messages: [...known.messages.slice(0, at), ...fresh], prevCursor: known.prevCursor };
}

/** The same after the page before it was read. */
export function joinEarlier(known: MessagePage, earlier: MessagePage): MessagePage {
  const ids = new Set(known.messages.map(({ id }) => id));
  const older = earlier.messages.filter(({ id }) => !ids.has(id));
  return { messages: [...older, ...known.messages], prevCursor: earlier.prevCursor };
}

function kept(before: MessageRecord | undefined, now: MessageRecord): MessageRecord {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now;
}
