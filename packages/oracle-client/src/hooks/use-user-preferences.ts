import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { EndpointOverrides } from '../api/chat-options.js';
import { preferencesKey } from '../api/query-keys.js';
import { useOraclesRuntime } from './oracles-context.js';
import { useOracleEndpoints } from './use-oracle-endpoints.js';

/** Preferences for answers; unset ones are absent. */
export interface UserPreferences {
  readonly userName?: string;
  readonly agentName?: string;
  readonly language?: string;
  readonly tone?: string;
  /** One of `casual`, `friendly`, `neutral`, `semi-formal`, `professional`, `formal`, `technical`, `academic`. */
  readonly formality?: string;
  readonly responseLength?: string;
  readonly format?: string;
  readonly customInstructions?: string;
  /** ISO 8601. */
  readonly updatedAt?: string;
}

export interface IUserPreferences {
  /** Undefined until loaded; empty for a user without preferences. */
  readonly preferences: UserPreferences | undefined;
  readonly isLoading: boolean;
  /** A 404 means an oracle without preferences. */
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
  /** Sets all preferences: unnamed ones are cleared. Rejects when the oracle refuses. */
  readonly setPreferences: (preferences: Omit<UserPreferences, 'updatedAt'>) => Promise<UserPreferences>;
}

/**
 * The user's preferences for an oracle's answers; read again after each turn, in which the oracle may have set them. Throws
 * outside of an `OraclesProvider`.
 */
export function useUserPreferences(oracleDid: string, overrides?: EndpointOverrides): IUserPreferences {
  const { queryClient, connect, userDid } = useOraclesRuntime();
  const { apiUrl, error: endpointError } = useOracleEndpoints(oracleDid, overrides);
  const queryKey = [...preferencesKey(userDid, oracleDid), apiUrl ?? ''];
  const { data, isLoading, error, refetch } = useQuery(
    {
      queryKey,
      queryFn: async ({ signal }) =>
        (await connect(oracleDid, apiUrl ?? '').json<UserPreferences | null>(path, { signal })) ?? none,
      enabled: apiUrl !== undefined,
      retry: false,
      // A form shows the stored values when it is opened again.
      gcTime: 0,
    },
    queryClient,
  );
  const setPreferences = useCallback(
    async (body: Omit<UserPreferences, 'updatedAt'>) => {
      const set = await connect(oracleDid, apiUrl ?? '').json<UserPreferences>(path, { method: 'PUT', body });
      const key = [...preferencesKey(userDid, oracleDid), apiUrl ?? ''];
      // A read in flight may be outdated.
      await queryClient.cancelQueries({ queryKey: key });
      queryClient.setQueryData(key, set);
      return set;
    },
    [connect, queryClient, userDid, oracleDid, apiUrl],
  );
  return { preferences: data, isLoading, error: endpointError ?? error, refetch, setPreferences };
}

const path = '/user-preferences';
const none: UserPreferences = {};
