import { useMutation, useQuery } from '@tanstack/react-query';
import { findOracle, type OracleAddress } from '../api/chain/find-oracle.js';
import type { EndpointOverrides } from '../api/chat-options.js';
import { memoriesKey } from '../api/query-keys.js';
import type { RequestOptions } from '../api/requests/oracle-connection.js';
import { useOraclesContext, useOraclesRuntime } from './oracles-context.js';
import { useOracleEndpoints } from './use-oracle-endpoints.js';

/** Something that an oracle remembers of the user. */
export interface IMemory {
  readonly id: string;
  readonly kind: 'fact' | 'artifact';
  readonly title?: string;
  readonly content: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Which of the memories. */
export interface MemorySearch {
  /** Only memories with any of these words, best matches first. Default: all, newest first. */
  readonly query?: string;
  /** 1 to 100. Default 20. */
  readonly limit?: number;
  readonly offset?: number;
}

export type MemoryOptions = MemorySearch & EndpointOverrides;

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
  /** The memories of the oracle in the call. Rejects if it refuses or is not found. */
  readonly recall: (options: MemorySearch & OracleAddress) => Promise<MemoryList>;
  /** Rejects when the oracle refuses, as it does when it remembers too much already. */
  readonly remember: (memory: NewMemory, oracle?: OracleAddress) => Promise<IMemory>;
  readonly isRemembering: boolean;
  /** Rejects for an unknown memory. */
  readonly forget: (id: string, oracle?: OracleAddress) => Promise<void>;
  readonly isForgetting: boolean;
}

export interface MemoryList {
  readonly memories: readonly IMemory[];
  readonly total: number;
}

const nothing: MemoryList = { memories: [], total: 0 };

/**
 * The memories of the user at an oracle, over all sessions. The oracle can also be set per call; then nothing is requested
 * before. Throws outside of an `OraclesProvider`.
 */
export function useMemoryEngine(oracleDid = '', options: MemoryOptions = {}): IMemoryEngine {
  const runtime = useOraclesRuntime();
  const { queryClient, userDid } = runtime;
  const { apiUrl, error: endpointError } = useOracleEndpoints(oracleDid, options);
  const { gatewayUrl } = useOraclesContext();
  const own: Partial<OracleAddress> = { oracleDid, ...(apiUrl === undefined ? {} : { baseUrl: apiUrl }) };
  const send = async <Reply>(path: string, request: RequestOptions, oracle = own): Promise<Reply> => {
    const found = await findOracle(queryClient, gatewayUrl, oracle);
    return runtime.connect(oracle.oracleDid ?? '', found).json<Reply>(path, request);
  };
  const page = pageOf(options);
  const listed = useQuery(
    {
      queryKey: [...memoriesKey(userDid, oracleDid), apiUrl, page],
      queryFn: ({ signal }) => send<MemoryList>(page, { signal }),
      enabled: apiUrl !== undefined && oracleDid !== '',
      retry: 1,
    },
    queryClient,
  );
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: ['mlango', 'memories', userDid] });
  const remembering = useMutation(
    {
      mutationFn: ({ memory, oracle }: { memory: NewMemory; oracle: OracleAddress | undefined }) =>
        send<IMemory>('/memories', { method: 'POST', body: memory }, oracle),
      onSuccess,
    },
    queryClient,
  );
  const forgetting = useMutation(
    {
      mutationFn: ({ id, oracle }: { id: string; oracle: OracleAddress | undefined }) =>
        send<unknown>(`/memories/${encodeURIComponent(id)}`, { method: 'DELETE' }, oracle),
      onSuccess,
    },
    queryClient,
  );
  return {
    ...(listed.data ?? nothing),
    isLoading: listed.isLoading,
    error: endpointError ?? listed.error,
    refetch: listed.refetch,
    recall: (options) => send<MemoryList>(pageOf(options), {}, options),
    remember: (memory, oracle) => remembering.mutateAsync({ memory, oracle }),
    isRemembering: remembering.isPending,
    forget: async (id, oracle) => void (await forgetting.mutateAsync({ id, oracle })),
    isForgetting: forgetting.isPending,
  };
}

function pageOf({ query = '', limit = 20, offset = 0 }: MemorySearch): string {
  return `/memories?${new URLSearchParams({ limit: String(limit), offset: String(offset), ...(query === '' ? {} : { query }) })}`;
}
