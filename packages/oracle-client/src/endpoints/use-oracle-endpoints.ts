import { useQuery } from '@tanstack/react-query';
import { entityUrl } from '../chain/entity-document.js';
import { entityQuery } from '../chain/entity-queries.js';
import type { EndpointOverrides } from '../chat/chat-options.js';
import { useOraclesContext, useOraclesRuntime } from '../provider/oracles-context.js';
import { endpointsOf } from './entity-endpoints.js';

/** Where an oracle is reached, as far as it is known. */
export interface OracleEndpoints {
  readonly apiUrl: string | undefined;
  readonly socketUrl: string | undefined;
  readonly isReady: boolean;
  /** Why it is not known. */
  readonly error: Error | undefined;
}

/**
 * Reads where an oracle is from its entity, by the provider's query gateway or from a document of its own. What is given stands
 * before what the entity says; where the API is given the entity is not asked for.
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

// Made once: what is rendered with an error is rendered anew when the error is another one.
const withoutGateway = new Error(
  "Give the provider a `gatewayUrl`, which the oracle's address is read through, or the address itself as `baseUrl`",
);
const withoutApi = new Error("The oracle's entity names no API");
