import { useQuery } from '@tanstack/react-query';
import type { EndpointOverrides } from '../chat/chat-options.js';
import { useOracleEndpoints } from '../endpoints/use-oracle-endpoints.js';
import { useOraclesRuntime } from '../provider/oracles-context.js';
import { fetchJson } from '../requests/fetch-json.js';
import { recordOf, recordsOf } from '../requests/record-of.js';

/** A model that a message may ask for. */
export interface IOracleModel {
  readonly id: string;
  readonly label: string;
  /** It answers messages that ask for none. */
  readonly isDefault: boolean;
}

export interface IOracleModels {
  /** None until they are known, and of an oracle that does not say. */
  readonly models: readonly IOracleModel[];
  readonly isLoading: boolean;
  readonly error: Error | null;
}

/** The models of an oracle: what `model` of `useChat` may be. Throws outside of an `OraclesProvider`. */
export function useOracleModels(oracleDid: string, overrides?: EndpointOverrides): IOracleModels {
  const { queryClient } = useOraclesRuntime();
  const { apiUrl } = useOracleEndpoints(oracleDid, overrides);
  const { data, isLoading, error } = useQuery(
    {
      queryKey: ['oracle-models', apiUrl],
      queryFn: async ({ signal }) => modelsIn(await fetchJson(`${apiUrl?.replace(/\/+$/, '')}/models`, { signal })),
      enabled: apiUrl !== undefined,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    },
    queryClient,
  );
  return { models: data ?? none, isLoading, error };
}

const none: readonly IOracleModel[] = [];

function modelsIn(reply: unknown): readonly IOracleModel[] {
  return recordsOf(recordOf(reply)['models']).flatMap(({ id, label, isDefault }) =>
    typeof id === 'string'
      ? [{ id, label: typeof label === 'string' ? label : id, isDefault: isDefault === true }]
      : [],
  );
}
