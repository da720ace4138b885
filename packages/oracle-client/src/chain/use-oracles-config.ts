import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { EndpointOverrides } from '../chat/chat-options.js';
import { useOracleEndpoints } from '../endpoints/use-oracle-endpoints.js';
import { useOraclesContext, useOraclesRuntime } from '../provider/oracles-context.js';
import { recordOf } from '../requests/record-of.js';
import { entityQuery, resourceQuery } from './entity-queries.js';
import { type OraclePrice, pricesOf } from './oracle-price.js';

export interface IOracleConfig {
  /** Base URL of the oracle's API. */
  readonly apiUrl: string | undefined;
  /** Base URL of its sockets. */
  readonly socketUrl: string | undefined;
  /** The language model that it says it answers with. */
  readonly model: string | undefined;
  /** The first of its prices. */
  readonly price: OraclePrice | undefined;
  readonly prices: readonly OraclePrice[];
}

export interface IOraclesConfig {
  readonly config: IOracleConfig;
  /** Something of the entity is still being read. */
  readonly isLoading: boolean;
  /** The oracle can be spoken with: its API URL is known. */
  readonly isReady: boolean;
  /** Why the URL is not known. */
  readonly error: Error | undefined;
}

/**
 * What an oracle's entity on the chain says of it, read through the query gateway of the provider's `gatewayUrl`: the
 * services `#api` (or of type `oracleService`) and `#ws` (`wsService`), the linked resources `#model` and `#fee`. Throws
 * outside of an `OraclesProvider`.
 *
 * @param overrides stand before what the entity says; with a `baseUrl` an oracle without an entity will do.
 */
export function useOraclesConfig(oracleDid: string, overrides?: EndpointOverrides): IOraclesConfig {
  const { gatewayUrl, wallet } = useOraclesContext();
  const { queryClient } = useOraclesRuntime();
  const { apiUrl, socketUrl, isReady, error } = useOracleEndpoints(oracleDid, overrides);
  const entity = useQuery(entityQuery(gatewayUrl, oracleDid), queryClient);
  const model = useQuery(resourceQuery(entity.data, 'model', wallet), queryClient);
  const fee = useQuery(resourceQuery(entity.data, 'fee', wallet), queryClient);
  const config = useMemo((): IOracleConfig => {
    const prices = pricesOf(fee.data);
    const { model: name } = recordOf(model.data);
    return { apiUrl, socketUrl, model: typeof name === 'string' ? name : undefined, price: prices[0], prices };
  }, [apiUrl, socketUrl, model.data, fee.data]);
  return { config, isReady, isLoading: entity.isLoading || model.isLoading || fee.isLoading, error };
}
