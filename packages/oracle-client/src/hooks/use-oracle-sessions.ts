import { type InfiniteData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { EndpointOverrides } from '../api/chat-options.js';
import { sessionsKey } from '../api/query-keys.js';
import { isPassing } from '../api/requests/retry.js';
import {
  allSessions,
  type FoundMessage,
  type IChatSession,
  nextOffset,
  type SessionPage,
  withChanged,
  withoutSession,
  withSession,
} from '../api/sessions.js';
import { useOraclesRuntime } from './oracles-context.js';
import { useOracleEndpoints } from './use-oracle-endpoints.js';

export interface OracleSessionsOptions extends EndpointOverrides {
  /** Sessions of one page, 1 to 100. Default 20. */
  readonly limit?: number;
}

export interface IOracleSessions {
  /** Newest activity first, as far as they were read. */
  readonly sessions: IChatSession[];
  /** How many there are. */
  readonly total: number;
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
  readonly refetch: () => Promise<unknown>;
  /** Rejects when the oracle refuses. */
  readonly createSession: () => Promise<IChatSession>;
  readonly isCreatingSession: boolean;
  readonly isCreateSessionError: boolean;
  /** Sets a session's title, 1 to 200 characters. Rejects if the oracle refuses. */
  readonly renameSession: (sessionId: string, title: string) => Promise<void>;
  /** Moves a session to the archive, or back to the list. Rejects when the oracle refuses. */
  readonly archiveSession: (sessionId: string, isArchived?: boolean) => Promise<void>;
  /** Whether archived sessions are listed instead of the others. */
  readonly isShowingArchived: boolean;
  readonly showArchived: (isShown: boolean) => void;
  /** Messages of all sessions that contain all words, the newest first; 20 at most. Rejects if the oracle refuses. */
  readonly searchSessions: (words: string, signal?: AbortSignal) => Promise<readonly FoundMessage[]>;
  /** Deletes a session with its messages, for good. Rejects when the oracle refuses. */
  readonly deleteSession: (sessionId: string) => Promise<void>;
  readonly isDeletingSession: boolean;
  readonly isDeleteSessionError: boolean;
  /** It is known where the oracle is. */
  readonly isConfigReady: boolean;
}

/** Number of retries of the list after transient failures. */
const attempts = 3;

interface FoundPage {
  readonly results: readonly FoundMessage[];
}

type Listed = InfiniteData<SessionPage, number>;

/** The user's sessions with an oracle. Throws outside of an `OraclesProvider`. */
export function useOracleSessions(oracleDid: string, options: OracleSessionsOptions = {}): IOracleSessions {
  const { limit = 20 } = options;
  const runtime = useOraclesRuntime();
  const { queryClient } = runtime;
  const { apiUrl, isReady, error: endpointError } = useOracleEndpoints(oracleDid, options);
  const connection = useMemo(() => runtime.connect(oracleDid, apiUrl ?? ''), [runtime, oracleDid, apiUrl]);
  const ofOracle = sessionsKey(runtime.userDid, oracleDid);
  const [isShowingArchived, showArchived] = useState(false);
  const listed = useInfiniteQuery(
    {
      queryKey: [...ofOracle, apiUrl, limit, isShowingArchived],
      queryFn: ({ pageParam, signal }) => {
        const query = `limit=${limit}&offset=${pageParam}${isShowingArchived ? '&archived=true' : ''}`;
        return connection.json<SessionPage>(`/sessions?${query}`, { signal });
      },
      initialPageParam: 0,
      getNextPageParam: nextOffset,
      enabled: apiUrl !== undefined,
      retry: (failures, error) => failures < attempts - 1 && isPassing(error),
    },
    queryClient,
  );

  /** Shows a change at once; the oracle's response replaces it. */
  async function change(pages: (before: readonly SessionPage[]) => SessionPage[]): Promise<void> {
    await queryClient.cancelQueries({ queryKey: ofOracle });
    queryClient.setQueriesData<Listed>({ queryKey: ofOracle }, (data) => data && { ...data, pages: pages(data.pages) });
    void queryClient.invalidateQueries({ queryKey: ofOracle });
  }

  const creation = useMutation(
    {
      mutationFn: () => connection.json<IChatSession>('/sessions', { method: 'POST' }),
      onSuccess: (session) => change((pages) => withSession(pages, session)),
    },
    queryClient,
  );
  const deletion = useMutation(
    {
      mutationFn: (sessionId: string) => connection.json(`/sessions/${sessionId}`, { method: 'DELETE' }),
      onSuccess: (_, sessionId) => change((pages) => withoutSession(pages, sessionId)),
    },
    queryClient,
  );
  const renaming = useMutation(
    {
      mutationFn: ({ sessionId, title }: { readonly sessionId: string; readonly title: string }) =>
        connection.json<IChatSession>(`/sessions/${sessionId}`, { method: 'PATCH', body: { title } }),
      onSuccess: (session) => change((pages) => withChanged(pages, session)),
    },
    queryClient,
  );
  const archiving = useMutation(
    {
      mutationFn: ({ sessionId, archived }: { readonly sessionId: string; readonly archived: boolean }) =>
        connection.json(`/sessions/${sessionId}`, { method: 'PATCH', body: { archived } }),
      onSuccess: (_, { sessionId }) => change((pages) => withoutSession(pages, sessionId)),
    },
    queryClient,
  );
  const searchSessions = useCallback(
    async (words: string, signal?: AbortSignal) => {
      const path = `/sessions/search?${new URLSearchParams({ q: words })}`;
      const { results } = await connection.json<FoundPage>(path, signal === undefined ? {} : { signal });
      return results;
    },
    [connection],
  );
  const { data } = listed;
  const sessions = useMemo(() => allSessions(data?.pages ?? []), [data]);
  return {
    sessions,
    total: data?.pages.at(-1)?.total ?? 0,
    isLoading: listed.isLoading,
    error: listed.error ?? endpointError ?? null,
    hasNextPage: listed.hasNextPage,
    isFetchingNextPage: listed.isFetchingNextPage,
    fetchNextPage: listed.fetchNextPage,
    refetch: listed.refetch,
    createSession: creation.mutateAsync,
    isCreatingSession: creation.isPending,
    isCreateSessionError: creation.isError,
    renameSession: async (sessionId, title) => {
      await renaming.mutateAsync({ sessionId, title });
    },
    archiveSession: async (sessionId, archived = true) => {
      await archiving.mutateAsync({ sessionId, archived });
    },
    isShowingArchived,
    showArchived,
    searchSessions,
    deleteSession: async (sessionId) => {
      await deletion.mutateAsync(sessionId);
    },
    isDeletingSession: deletion.isPending,
    isDeleteSessionError: deletion.isError,
    isConfigReady: isReady,
  };
}
