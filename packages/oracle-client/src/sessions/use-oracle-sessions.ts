import { type InfiniteData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { EndpointOverrides } from '../chat/chat-options.js';
import { useOracleEndpoints } from '../endpoints/use-oracle-endpoints.js';
import { useOraclesRuntime } from '../provider/oracles-context.js';
import { isPassing } from '../requests/retry.js';
import {
  allSessions,
  type IChatSession,
  nextOffset,
  type SessionPage,
  withChanged,
  withoutSession,
  withSession,
} from './session.js';
import { sessionsKey } from './sessions-key.js';

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
  /** Gives a session a title of the user's, 1 to 200 characters. Rejects when the oracle refuses. */
  readonly renameSession: (sessionId: string, title: string) => Promise<void>;
  /** Deletes a session with its messages. Rejects when the oracle refuses. */
  readonly deleteSession: (sessionId: string) => Promise<void>;
  readonly isDeletingSession: boolean;
  readonly isDeleteSessionError: boolean;
  /** It is known where the oracle is. */
  readonly isConfigReady: boolean;
}

/** How often the list is asked for while it fails for reasons that pass. */
const attempts = 3;

type Listed = InfiniteData<SessionPage, number>;

/** The user's sessions with an oracle. Throws outside of an `OraclesProvider`. */
export function useOracleSessions(oracleDid: string, options: OracleSessionsOptions = {}): IOracleSessions {
  const { limit = 20 } = options;
  const runtime = useOraclesRuntime();
  const { queryClient } = runtime;
  const { apiUrl, isReady, error: endpointError } = useOracleEndpoints(oracleDid, options);
  const connection = useMemo(() => runtime.connect(oracleDid, apiUrl ?? ''), [runtime, oracleDid, apiUrl]);
  const ofOracle = sessionsKey(runtime.userDid, oracleDid);
  const listed = useInfiniteQuery(
    {
      queryKey: [...ofOracle, apiUrl, limit],
      queryFn: ({ pageParam, signal }) =>
        connection.json<SessionPage>(`/sessions?limit=${limit}&offset=${pageParam}`, { signal }),
      initialPageParam: 0,
      getNextPageParam: nextOffset,
      enabled: apiUrl !== undefined,
      retry: (failures, error) => failures < attempts - 1 && isPassing(error),
    },
    queryClient,
  );

  /** Shows a change at once; what the oracle says of it comes after that. */
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
    deleteSession: async (sessionId) => {
      await deletion.mutateAsync(sessionId);
    },
    isDeletingSession: deletion.isPending,
    isDeleteSessionError: deletion.isError,
    isConfigReady: isReady,
  };
}
