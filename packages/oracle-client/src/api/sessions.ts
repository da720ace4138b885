import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { sessionsKey } from './query-keys.js';
/** The oracle's name of a session until its first complete turn sets a title. */
export const untitled = 'Untitled';

/** A chat session of the user with an oracle. */
export interface IChatSession {
  readonly sessionId: string;
  /** `Untitled` until its first complete turn sets a title. */
  readonly title?: string;
  /** ISO 8601. */
  readonly createdAt?: string;
  /** ISO 8601. */
  readonly lastUpdatedAt?: string;
  readonly oracleName?: string;
  readonly oracleDid?: string;
  readonly oracleEntityDid?: string;
  readonly roomId?: string | undefined;
}

/** A message that was searched for. */
export interface FoundMessage {
  readonly sessionId: string;
  /** Title of its session. */
  readonly title: string;
  readonly messageId: string;
  readonly type: 'human' | 'ai';
  /** The text around the found words, as plain text. */
  readonly snippet: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface SessionPage {
  readonly sessions: readonly IChatSession[];
  readonly total: number;
}

type Pages = readonly SessionPage[];

/** The pages with a session in front. Pure. */
export function withSession(pages: Pages, session: IChatSession): SessionPage[] {
  return withoutSession(pages, session.sessionId).map(({ sessions, total }, index) => ({
    sessions: index === 0 ? [session, ...sessions] : sessions,
    total: total + 1,
  }));
}

/** The pages without a session. Pure. */
export function withoutSession(pages: Pages, sessionId: string): SessionPage[] {
  const isListed = pages.some(({ sessions }) => sessions.some((session) => session.sessionId === sessionId));
  return pages.map(({ sessions, total }) => ({
    sessions: sessions.filter((session) => session.sessionId !== sessionId),
    total: isListed ? Math.max(0, total - 1) : total,
  }));
}

/** The pages with a session replaced. Pure. */
export function withChanged(pages: Pages, changed: IChatSession): SessionPage[] {
  return pages.map(({ sessions, total }) => ({
    sessions: sessions.map((session) => (session.sessionId === changed.sessionId ? changed : session)),
    total,
  }));
}

/** The number of sessions before the next page; undefined if there is none. */
export function nextOffset(last: SessionPage, pages: Pages): number | undefined {
  const count = pages.reduce((sum, { sessions }) => sum + sessions.length, 0);
  return last.sessions.length === 0 || count >= last.total ? undefined : count;
}

/** All sessions of the pages, each once: one that moved up since may be on two. */
export function allSessions(pages: Pages): IChatSession[] {
  const byId = new Map<string, IChatSession>();
  for (const session of pages.flatMap(({ sessions }) => sessions)) {
    if (!byId.has(session.sessionId)) byId.set(session.sessionId, session);
  }
  return [...byId.values()];
}

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
