import { queryOptions } from '@tanstack/react-query';
import type { IWallet } from '../identity/wallet.js';
import { OracleRequestError } from '../requests/request-error.js';
import { type EntityDocument, entityUrl, readEntity } from './entity-document.js';
import { readResource } from './read-resource.js';

/** Entities rarely change: they are read again after five minutes. */
const staleTime = 300_000;

const retry = (failures: number, error: Error) =>
  failures < 2 && !(error instanceof OracleRequestError && error.statusCode >= 400 && error.statusCode < 500);

/** An oracle's entity, as the chain has it. */
export function entityQuery(gatewayUrl: string | undefined, oracleDid: string) {
  const url = entityUrl(gatewayUrl, oracleDid);
  return queryOptions({
    queryKey: ['mlango', 'entity', url, oracleDid],
    queryFn: ({ signal }) => readEntity(url ?? '', oracleDid, signal),
    enabled: url !== undefined,
    retry,
    staleTime,
  });
}

/** The JSON of a resource linked by the entity, by the fragment of its id; `null` if there is none. */
export function resourceQuery(entity: EntityDocument | undefined, fragment: string, wallet: IWallet) {
  return queryOptions({
    queryKey: ['mlango', 'resource', entity?.id, fragment, wallet.did],
    queryFn: async ({ signal }): Promise<unknown> =>
      entity === undefined ? null : ((await readResource(entity, fragment, wallet.matrix, signal)) ?? null),
    enabled: entity !== undefined,
    retry,
    staleTime,
  });
}
