import { fetchJson } from '../requests/fetch-json.js';
import { recordOf, recordsOf } from '../requests/record-of.js';

export interface EntityService {
  readonly id: string;
  readonly type: string;
  readonly serviceEndpoint: string;
}

export interface LinkedResource {
  readonly id: string;
  readonly type: string;
  readonly serviceEndpoint: string;
}

/** What the chain has written down of an entity, as far as oracles are concerned. */
export interface EntityDocument {
  readonly id: string;
  readonly services: readonly EntityService[];
  readonly resources: readonly LinkedResource[];
  /** Addresses of the entity's accounts, by their names, such as `admin`. */
  readonly accounts: Readonly<Record<string, string>>;
}

/**
 * Reads an entity through the query gateway. Rejects with an `OracleRequestError`: 404 for one that the chain does not have.
 * @param gatewayUrl with the prefix of its routes where it is another than `/proto`.
 */
export async function readEntity(gatewayUrl: string, did: string, signal?: AbortSignal): Promise<EntityDocument> {
  const base = gatewayUrl.replace(/\/+$/, '');
  const prefixed = new URL(base).pathname === '/' ? `${base}/proto` : base;
  const reply = recordOf(await fetchJson(`${prefixed}/entity/${encodeURIComponent(did)}`, { signal }));
  const document = recordOf(reply['iidDocument']);
  const accounts = recordsOf(recordOf(reply['entity'])['accounts']);
  return {
    id: did,
    services: recordsOf(document['service']).map(linkOf),
    resources: recordsOf(document['linkedResource']).map(linkOf),
    accounts: Object.fromEntries(accounts.map((account) => [textOf(account['name']), textOf(account['address'])])),
  };
}

/** The part of a document whose id ends with a fragment: `#api` is in `did:ixo:entity:1#api` and in `{id}#api`. */
export function partOf<Part extends { readonly id: string }>(
  parts: readonly Part[],
  fragment: string,
): Part | undefined {
  return parts.find(({ id }) => id.endsWith(`#${fragment}`));
}

function linkOf(part: Record<string, unknown>) {
  return {
    id: textOf(part['id']),
    type: textOf(part['type']),
    serviceEndpoint: textOf(part['serviceEndpoint']),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
