import type { Agent } from 'undici';
import { readBoundedText } from './bounded-body.js';
import { type CachingOptions, cachingDidResolver } from './caching-did-resolver.js';
import type { DidResolver } from './did-resolver.js';
import { authenticationMethods, ed25519KeysOf } from './verification-methods.js';

interface Limits extends CachingOptions {
  /** Bytes of an answer. Default 262,144. */
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
  /** Ends the connections. */
  close(): Promise<void>;
}

const QUERY =
  'query ($id: String!) { iids(filter: { id: { equalTo: $id } }) { nodes { id verificationMethod authentication } } }';

/**
 * Keys of did:ixo issuers, from their DID documents: those the chain's indexer keeps, or those the query gateway reads from
 * the chain. Keys that a document has for other ends than authentication do not count. Redirects are not followed.
 */
export function createIxoDidResolver(options: IndexerOptions | GatewayOptions): IxoDidResolver {
  const { limitBytes = 262_144, timeoutMs = 1800, concurrency = 64 } = options;
  let agent: Agent | undefined;
  const ask = 'graphqlUrl' in options ? indexerQuestion(options.graphqlUrl) : gatewayQuestion(options.gatewayUrl);
  const source = async (did: string, signal: AbortSignal) => {
    const undici = await import('undici');
    // A connection for each look-up that runs: one that had to wait for a connection would not have its share.
    agent ??= new undici.Agent({ connections: concurrency, connect: { timeout: timeoutMs } });
    const question = ask(did);
    const reply = await undici.request(question.url, { ...question.options, dispatcher: agent, signal });
    const text = await readBoundedText(reply.body, limitBytes);
    if (reply.statusCode === 404 && question.notFoundIsAbsence) return [];
    if (reply.statusCode !== 200) throw new Error(`answered ${reply.statusCode}`);
    return ed25519KeysOf(authenticationMethods(documentIn(question.documentsIn(JSON.parse(text)), did)));
  };
  return { ...cachingDidResolver('ixo', source, options), close: async () => agent?.destroy() };
}

interface Question {
  readonly url: string;
  readonly options: {
    readonly method: 'GET' | 'POST';
    readonly headers: Record<string, string>;
    readonly body?: string;
  };
  readonly notFoundIsAbsence: boolean;
  /** The documents in an answer, unchecked. */
  documentsIn(answer: unknown): unknown;
}

function indexerQuestion(graphqlUrl: string) {
  return (did: string): Question => ({
    url: graphqlUrl,
    options: {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query: QUERY, variables: { id: did } }),
    },
    notFoundIsAbsence: false,
    documentsIn: (answer) => member(member(member(answer, 'data'), 'iids'), 'nodes'),
  });
}

function gatewayQuestion(gatewayUrl: string) {
  return (did: string): Question => ({
    url: `${gatewayUrl.replace(/\/+$/, '')}/ixo/did/dids/${encodeURIComponent(did)}`,
    options: { method: 'GET', headers: { accept: 'application/json' } },
    notFoundIsAbsence: true,
    documentsIn: (answer) => [member(answer, 'iidDocument')],
  });
}

/** The document of just this DID. An answer of another form is no answer. */
function documentIn(documents: unknown, did: string): unknown {
  if (!Array.isArray(documents)) throw new Error('the answer has no documents');
  return documents.find((candidate: unknown) => member(candidate, 'id') === did);
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
