import type { IChatOptions } from './chat-options.js';
import type { IRunRecord } from './run-records.js';
import { useOfChat, useOpenChat } from './use-open-chat.js';

/**
 * How the last ten runs of a session went, as far as this page has seen them, oldest first: to be used beside a `useChat` of that
 * session, which is what reads them. Throws outside of an `OraclesProvider`.
 */
export function useRunRecords(
  options: Pick<IChatOptions, 'oracleDid' | 'sessionId' | 'overrides'>,
): readonly IRunRecord[] {
  const { chat } = useOpenChat(options.oracleDid, options.sessionId, options.overrides);
  return useOfChat(chat, chat?.records, noRecords);
}

const noRecords: readonly IRunRecord[] = [];
