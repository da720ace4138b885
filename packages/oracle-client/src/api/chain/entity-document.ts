import { fetchJson } from '../requests/fetch-json.js';
import { recordOf, recordsOf } from '../requests/values.js';

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

/** The fields of an entity document that describe an oracle. */
export interface EntityDocument {
  readonly id: string;
  readonly services: readonly EntityService[];
  readonly resources: readonly LinkedResource[];
  /** Addresses of the entity's accounts, by their names, such as `admin`. */
  readonly accounts: Readonly<Record<string, string>>;
}

/**
 * The address of an entity: its own document for a `did:web`, the query gateway for others. Undefined if there is none.
 * @param gatewayUrl with the prefix of its routes if it is not `/proto`.
 */
export function entityUrl(gatewayUrl: string | undefined, did: string): string | undefined {
  const own = webDocumentUrl(did);
  if (own !== undefined || gatewayUrl === undefined || did === '') return own;
  const base = gatewayUrl.replace(/\/+$/, '');
  const prefixed = new URL(base).pathname === '/' ? `${base}/proto` : base;
  return `${prefixed}/entity/${encodeURIComponent(did)}`;
}

/** Reads an entity. Rejects with an `OracleRequestError`: 404 for one that the chain does not have. */
export async function readEntity(url: string, did: string, signal?: AbortSignal): Promise<EntityDocument> {
  const reply = recordOf(await fetchJson(url, { signal }));
  const document = recordOf(reply['iidDocument'] ?? reply);
  const accounts = recordsOf(recordOf(reply['entity'])['accounts']);
  return {
    id: did,
    services: recordsOf(document['service']).map(linkOf),
    resources: recordsOf(document['linkedResource']).map(linkOf),
    accounts: Object.fromEntries(accounts.map((account) => [textOf(account['name']), textOf(account['address'])])),
  };
}

/** The entry with a fragment as its id: `#api` matches `did:ixo:entity:1#api` and `{id}#api`. */
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

/**
 * The document address of a `did:web`: `did:web:a.example` at `https://a.example/.well-known/did.json`, `did:web:a.example:b` at
 * `https://a.example/b/did.json`. Undefined for other DIDs. Source: https://w3c-ccg.github.io/did-method-web/.
 */
function webDocumentUrl(did: string): string | undefined {
  const [host, ...path] = /^did:web:([\w.%:-]+)$/.exec(did)?.[1]?.split(':') ?? [];
  if (host === undefined) return undefined;
  const url = `https://${host.replace(/%3A/i, ':')}/${path.length === 0 ? '.well-known' : path.join('/')}/did.json`;
  return URL.canParse(url) ? url : undefined;
}

/**
 * HTTP query endpoints of the public networks, by the homeserver of their users: the chain's own nodes, with the same document at
 * `/ixo/entity/:did` as our gateway.
 */
const gateways: ReadonlyMap<string, string> = new Map([
  ['mx.ixo.earth', 'https://impacthub.ixo.world/rest/ixo'],
  ['testmx.ixo.earth', 'https://testnet.ixo.earth/rest/ixo'],
  ['devmx.ixo.earth', 'https://devnet.ixo.earth/rest/ixo'],
]);

/** The public gateway of the user's network; undefined if the homeserver belongs to no known network. */
export function publicGateway(homeServer: string): string | undefined {
  const host = homeServer.replace(/^https?:\/\//, '').replace(/[/:].*$/, '');
  return gateways.get(host.toLowerCase());
}
