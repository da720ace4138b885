import { useQuery } from '@tanstack/react-query';
import { getOpenIdToken, type IOpenIDToken, requestOf } from '../api/identity/openid-token.js';
import { useOraclesContext, useOraclesRuntime } from './oracles-context.js';

export interface OpenIdTokenOptions {
  /** Default: `@did-ixo-<address>` at the wallet's homeserver. */
  readonly userId?: string;
}

export interface IGetOpenIdToken {
  readonly openIdToken: IOpenIDToken | undefined;
  readonly isLoading: boolean;
  readonly error: Error | null;
  /** Requests a new token. */
  readonly refetch: () => Promise<IOpenIDToken | undefined>;
}

/** An OpenID token of the connected user's Matrix account. Throws outside of an `OraclesProvider`. */
export function useGetOpenIdToken({ userId }: OpenIdTokenOptions = {}): IGetOpenIdToken {
  const { wallet } = useOraclesContext();
  const { queryClient } = useOraclesRuntime();
  const { accessToken, homeServer } = wallet.matrix;
  const request = { ...requestOf(wallet), ...(userId === undefined ? {} : { userId }) };
  const queryKey = ['mlango', 'openid', request.userId, homeServer];
  const { data, isLoading, error } = useQuery(
    {
      queryKey,
      // A mounted page has the token in memory; otherwise it is only stored encrypted.
      queryFn: () => getOpenIdToken(request),
      enabled: accessToken !== '' && homeServer !== '',
      staleTime: ({ state }) => freshMs(state.data),
      gcTime: 0,
      retry: 1,
    },
    queryClient,
  );
  return {
    openIdToken: data,
    isLoading,
    error,
    refetch: async () => {
      const token = await getOpenIdToken({ ...request, forceNewToken: true });
      queryClient.setQueryData(queryKey, token);
      return token;
    },
  };
}

function freshMs(token: IOpenIDToken | undefined): number {
  return token === undefined ? 0 : Math.max(0, token.expires_in * 1_000 - 60_000);
}
