import type { Agent } from 'undici';
import { type CachingOptions, cachingDidResolver } from './caching-did-resolver.js';
import { authenticationMethods, ed25519KeysOf, readBoundedText } from './did-document.js';
import type { DidResolver } from './did-resolver.js';

interface Limits extends CachingOptions {
  /** Most bytes of a response. Default 262,144. */
  readonly limitBytes?: number;
}

export interface IndexerOptions extends Limits {
  /** The chain indexer's GraphQL endpoint. */
  readonly graphqlUrl: string;
}

export interface GatewayOptions extends Limits {
  /** Base URL of the HTTP/JSON query gateway. */
  readonly gatewayUrl: string;
}

export interface IxoDidResolver extends DidResolver {
  /** Closes the connections. */
  close(): Promise<void>;
}

const GRAPHQL =
  'query ($id: String!) { iids(filter: { id: { equalTo: $id } }) { nodes { id verificationMethod authentication } } }';

/**
 * Resolves did:ixo from DID documents of the chain's indexer or of the query gateway. Only keys for authentication count. Redirects are
 * not followed.
 */
export function createIxoDidResolver(options: IndexerOptions | GatewayOptions): IxoDidResolver {
  const { limitBytes = 262_144, timeoutMs = 1800, concurrency = 64 } = options;
  let agent: Agent | undefined;
  const queryOf = 'graphqlUrl' in options ? indexerQuery(options.graphqlUrl) : gatewayQuery(options.gatewayUrl);
  const source = async (did: string, signal: AbortSignal) => {
    const undici = await import('undici');
    // One connection per concurrent lookup: waiting for a connection would defeat the shares of addresses.
    agent ??= new undici.Agent({ connections: concurrency, connect: { timeout: timeoutMs } });
    const query = queryOf(did);
    const reply = await undici.request(query.url, { ...query.options, dispatcher: agent, signal });
    const text = await readBoundedText(reply.body, limitBytes);
    if (reply.statusCode === 404 && query.notFoundIsAbsence) return [];
    if (reply.statusCode !== 200) throw new Error(`answered ${reply.statusCode}`);
    return ed25519KeysOf(authenticationMethods(documentIn(query.documentsIn(JSON.parse(text)), did)));
  };
  return { ...cachingDidResolver('ixo', source, options), close: async () => agent?.destroy() };
}

interface Query {
  readonly url: string;
  readonly options: {
    readonly method: 'GET' | 'POST';
    readonly headers: Record<string, string>;
    readonly body?: string;
  };
  readonly notFoundIsAbsence: boolean;
  /** The documents in a response, not validated. */
  documentsIn(response: unknown): unknown;
}

function indexerQuery(graphqlUrl: string) {
  return (did: string): Query => ({
    url: graphqlUrl,
    options: {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query: GRAPHQL, variables: { id: did } }),
    },
    notFoundIsAbsence: false,
    documentsIn: (response) => member(member(member(response, 'data'), 'iids'), 'nodes'),
  });
}

function gatewayQuery(gatewayUrl: string) {
  return (did: string): Query => ({
    url: `${gatewayUrl.replace(/\/+$/, '')}/ixo/did/dids/${encodeURIComponent(did)}`,
    options: { method: 'GET', headers: { accept: 'application/json' } },
    notFoundIsAbsence: true,
    documentsIn: (response) => [member(response, 'iidDocument')],
  });
}

/** The document with exactly this DID. Throws if the response has another form. */
function documentIn(documents: unknown, did: string): unknown {
  if (!Array.isArray(documents)) throw new Error('the response has no documents');
  return documents.find((candidate: unknown) => member(candidate, 'id') === did);
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
