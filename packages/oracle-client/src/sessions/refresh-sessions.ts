import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { type SessionPage, untitled } from './session.js';
import { sessionsKey } from './sessions-key.js';

/** Waits before the sessions are read again for a title. */
const laterMs = [1_500, 5_000];

/** Reads the listed sessions again after a turn of one of them, and once more or twice until that one has its title. */
export async function refreshSessions(
  queryClient: QueryClient,
  {
    userDid,
    oracleDid,
    sessionId,
  }: { readonly userDid: string; readonly oracleDid: string; readonly sessionId: string },
): Promise<void> {
  const queryKey = sessionsKey(userDid, oracleDid);
  await queryClient.invalidateQueries({ queryKey });
  for (const waitMs of laterMs) {
    const lists = queryClient.getQueriesData<InfiniteData<SessionPage>>({ queryKey, type: 'active' });
    const listed = lists.flatMap(([, data]) => data?.pages ?? []).flatMap(({ sessions }) => sessions);
    if (!listed.some((session) => session.sessionId === sessionId && session.title === untitled)) return;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await queryClient.invalidateQueries({ queryKey });
  }
}
