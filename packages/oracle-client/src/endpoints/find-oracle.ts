import type { QueryClient } from '@tanstack/react-query';
import { entityQuery } from '../chain/entity-queries.js';
import { endpointsOf } from './entity-endpoints.js';

/** An oracle that is named as something is asked of it, instead of when a hook is called. */
export interface OracleAddress {
  readonly oracleDid: string;
  /** In the place of what its entity says. */
  readonly baseUrl?: string;
}

/** Base URL of an oracle's API. Rejects when it is not named, or cannot be found. */
export async function findOracle(
  queryClient: QueryClient,
  gatewayUrl: string | undefined,
  { oracleDid, baseUrl }: Partial<OracleAddress>,
): Promise<string> {
  if (oracleDid === undefined || oracleDid === '') throw new Error('Name the oracle: give its `oracleDid`');
  if (baseUrl !== undefined) return baseUrl;
  const query = entityQuery(gatewayUrl, oracleDid);
  if (query.enabled !== true) throw new Error('Give the provider a `gatewayUrl`, or the oracle a `baseUrl`');
  const named = endpointsOf(await queryClient.fetchQuery(query));
  if (named === undefined) throw new Error("The oracle's entity names no API");
  return named.apiUrl;
}
