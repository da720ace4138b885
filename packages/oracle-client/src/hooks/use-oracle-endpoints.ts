import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { entityUrl } from '../api/chain/entity-document.js';
import { entityQuery, resourceQuery } from '../api/chain/entity-queries.js';
import { endpointsOf } from '../api/chain/find-oracle.js';
import { type OraclePrice, pricesOf } from '../api/chain/oracle-price.js';
import type { EndpointOverrides } from '../api/chat-options.js';
import { fetchJson } from '../api/requests/fetch-json.js';
import { recordOf, recordsOf } from '../api/requests/values.js';
import { useOraclesContext, useOraclesRuntime } from './oracles-context.js';

/** URLs of an oracle, as far as known. */
export interface OracleEndpoints {
  readonly apiUrl: string | undefined;
  readonly socketUrl: string | undefined;
  readonly isReady: boolean;
  /** Why it is not known. */
  readonly error: Error | undefined;
}

/**
 * Reads the addresses of an oracle from its entity, by the provider's query gateway or from its document. Overrides have
 * precedence over the entity; with an API address the entity is not read.
 */
export function useOracleEndpoints(oracleDid: string, overrides: EndpointOverrides | undefined): OracleEndpoints {
  const { baseUrl, wsUrl } = overrides ?? {};
  const { gatewayUrl } = useOraclesContext();
  const { queryClient } = useOraclesRuntime();
  const { data: entity, error } = useQuery(
    entityQuery(gatewayUrl, baseUrl === undefined ? oracleDid : ''),
    queryClient,
  );
  if (baseUrl !== undefined) {
    return { apiUrl: baseUrl, socketUrl: wsUrl ?? baseUrl, isReady: true, error: undefined };
  }
  const named = entity && endpointsOf(entity);
  return {
    apiUrl: named?.apiUrl,
    socketUrl: wsUrl ?? named?.socketUrl,
    isReady: named !== undefined,
    error:
      named === undefined && oracleDid !== ''
        ? whyNot(entityUrl(gatewayUrl, oracleDid), entity !== undefined, error)
        : undefined,
  };
}

function whyNot(readAt: string | undefined, hasEntity: boolean, error: Error | null): Error | undefined {
  if (readAt === undefined) return withoutGateway;
  if (error !== null) return error;
  return hasEntity ? withoutApi : undefined;
}

// Memoised: a new error object would re-render all users of the hook.
const withoutGateway = new Error(
  "Give the provider a `gatewayUrl`, which the oracle's address is read through, or the address itself as `baseUrl`",
);
const withoutApi = new Error("The oracle's entity names no API");

export interface IOracleConfig {
  /** Base URL of the oracle's API. */
  readonly apiUrl: string | undefined;
  /** Base URL of its sockets. */
  readonly socketUrl: string | undefined;
  /** The language model that the oracle reports. */
  readonly model: string | undefined;
  /** The first of its prices. */
  readonly price: OraclePrice | undefined;
  readonly prices: readonly OraclePrice[];
}

export interface IOraclesConfig {
  readonly config: IOracleConfig;
  /** Something of the entity is still being read. */
  readonly isLoading: boolean;
  /** The API URL of the oracle is known. */
  readonly isReady: boolean;
  /** Why the URL is not known. */
  readonly error: Error | undefined;
}

/**
 * The configuration of an oracle in its entity on the chain, read through the query gateway of the provider's `gatewayUrl`: the
 * services `#api` (or of type `oracleService`) and `#ws` (`wsService`), the linked resources `#model` and `#fee`. Throws outside
 * of an `OraclesProvider`.
 *
 * @param overrides have precedence over the entity; with a `baseUrl` the oracle needs no entity.
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

/** A model that a message may request. */
export interface IOracleModel {
  readonly id: string;
  readonly label: string;
  /** Used for messages without a model. */
  readonly isDefault: boolean;
}

export interface IOracleModels {
  /** Empty until loaded, and for an oracle without a list. */
  readonly models: readonly IOracleModel[];
  readonly isLoading: boolean;
  readonly error: Error | null;
}

/** The models of an oracle: the values for `model` of `useChat`. Throws outside of an `OraclesProvider`. */
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
