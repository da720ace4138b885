import { createServer, type ServerResponse } from 'node:http';

/** A fake of the chain's indexer on its own port. It has some DIDs and counts the requests for each. */
export interface Indexer {
  readonly url: string;
  /** Number of requests by DID. */
  readonly requests: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/**
 * Starts an indexer that answers its GraphQL query from `keyDids`, the did:key of each DID. `answer` replaces its replies, for example with
 * a timeout.
 */
export async function startIndexer(
  keyDids: Readonly<Record<string, string>>,
  answer?: (reply: ServerResponse) => void,
): Promise<Indexer> {
  const requests = new Map<string, number>();
  const server = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const { variables } = JSON.parse(body) as { variables: { id: string } };
      requests.set(variables.id, (requests.get(variables.id) ?? 0) + 1);
      if (answer !== undefined) return answer(reply);
      const keyDid = keyDids[variables.id];
      const nodes = keyDid === undefined ? [] : [{ id: variables.id, verificationMethod: methodsOf(keyDid) }];
      reply.setHeader('content-type', 'application/json').end(JSON.stringify({ data: { iids: { nodes } } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}/graphql`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Like accounts of the chain: the first key has another type. */
function methodsOf(keyDid: string): object[] {
  return [
    { id: '#account', type: 'EcdsaSecp256k1VerificationKey2019', publicKeyHex: '02'.repeat(33) },
    { id: '#signing', type: 'Ed25519VerificationKey2020', publicKeyMultibase: keyDid.slice('did:key:'.length) },
  ];
}
