import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const ANSWER_MS = 300;

/** An indexer that takes its time and knows nobody. */
export interface SlowIndexer {
  readonly url: string;
  /** How often it was asked for each DID. */
  readonly asked: ReadonlyMap<string, number>;
  stop(): void;
}

export async function startSlowIndexer(): Promise<SlowIndexer> {
  const asked = new Map<string, number>();
  const server = createServer((request, reply) => {
    void text(request).then((body) => {
      const { variables } = JSON.parse(body) as { variables: { id: string } };
      asked.set(variables.id, (asked.get(variables.id) ?? 0) + 1);
      setTimeout(() => reply.end(JSON.stringify({ data: { iids: { nodes: [] } } })), ANSWER_MS);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}/graphql`,
    asked,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
