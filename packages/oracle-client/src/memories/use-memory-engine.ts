import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { EndpointOverrides } from '../chat/chat-options.js';
import { useOracleEndpoints } from '../endpoints/use-oracle-endpoints.js';
import { useOraclesRuntime } from '../provider/oracles-context.js';

/** Something that an oracle remembers of the user. */
export interface IMemory {
  readonly id: string;
  readonly kind: 'fact' | 'artifact';
  readonly title?: string;
  readonly content: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface MemoryOptions extends EndpointOverrides {
  /** Only memories with any of these words, best matches first. Default: all, newest first. */
  readonly query?: string;
  /** 1 to 100. Default 20. */
  readonly limit?: number;
  readonly offset?: number;
}

export interface NewMemory {
  readonly content: string;
  /** Default `fact`. */
  readonly kind?: IMemory['kind'];
  readonly title?: string;
}

export interface IMemoryEngine {
  readonly memories: readonly IMemory[];
  /** How many there are in all. */
  readonly total: number;
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
  /** Rejects when the oracle refuses, as it does when it remembers too much already. */
  readonly remember: (memory: NewMemory) => Promise<IMemory>;
  readonly isRemembering: boolean;
  /** Rejects for what is not remembered. */
  readonly forget: (id: string) => Promise<void>;
  readonly isForgetting: boolean;
}

interface MemoryList {
  readonly memories: readonly IMemory[];
  readonly total: number;
}

const nothing: MemoryList = { memories: [], total: 0 };

/** What an oracle remembers of the user, over all of their sessions. Throws outside of an `OraclesProvider`. */
export function useMemoryEngine(oracleDid: string, options: MemoryOptions = {}): IMemoryEngine {
  const { query = '', limit = 20, offset = 0 } = options;
  const runtime = useOraclesRuntime();
  const { queryClient, userDid } = runtime;
  const { apiUrl, error: endpointError } = useOracleEndpoints(oracleDid, options);
  const connection = useMemo(() => runtime.connect(oracleDid, apiUrl ?? ''), [runtime, oracleDid, apiUrl]);
  const ofOracle = ['mlango', 'memories', userDid, oracleDid, apiUrl];
  const page = new URLSearchParams({
    limit: String(limit),
    offset: String(offset),
    ...(query === '' ? {} : { query }),
  });
  const listed = useQuery(
    {
      queryKey: [...ofOracle, page.toString()],
      queryFn: ({ signal }) => connection.json<MemoryList>(`/memories?${page}`, { signal }),
      enabled: apiUrl !== undefined,
      retry: 1,
    },
    queryClient,
  );
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: ofOracle });
  const remembering = useMutation(
    {
      mutationFn: (memory: NewMemory) => connection.json<IMemory>('/memories', { method: 'POST', body: memory }),
      onSuccess,
    },
    queryClient,
  );
  const forgetting = useMutation(
    {
      mutationFn: (id: string) => connection.json<unknown>(`/memories/${encodeURIComponent(id)}`, { method: 'DELETE' }),
      onSuccess,
    },
    queryClient,
  );
  return {
    ...(listed.data ?? nothing),
    isLoading: listed.isLoading,
    error: endpointError ?? listed.error,
    refetch: listed.refetch,
    remember: remembering.mutateAsync,
    isRemembering: remembering.isPending,
    forget: async (id) => void (await forgetting.mutateAsync(id)),
    isForgetting: forgetting.isPending,
  };
}
