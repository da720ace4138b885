import { useQuery } from '@tanstack/react-query';
import type { EndpointOverrides } from '../../chat/chat-options.js';
import { useOracleEndpoints } from '../../endpoints/use-oracle-endpoints.js';
import { useOraclesRuntime } from '../../provider/oracles-context.js';

/** Whether an oracle has the plugin `calls`, as far as is known: without it the route is none. It is asked where a page has calls to offer. */
export function useHasCalls(oracleDid: string, overrides: EndpointOverrides | undefined, isOffered: boolean): boolean {
  const { queryClient, connect, userDid } = useOraclesRuntime();
  const { apiUrl } = useOracleEndpoints(oracleDid, overrides);
  const { isSuccess } = useQuery(
    {
      queryKey: ['oracle-calls', userDid, oracleDid, apiUrl],
      queryFn: ({ signal }) => connect(oracleDid, apiUrl ?? '').json('/calls?limit=1', { signal }),
      enabled: isOffered && apiUrl !== undefined,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    },
    queryClient,
  );
  return isSuccess;
}
