import { describe, expect, it } from 'vitest';
import { gatewayOnNode } from '../test/gateway-on-node.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: string;
}

const gateway = gatewayOnNode();
/** The modules the mock node answers for. */
const SERVED = /^ixo\.(entity|claims|token|iid)\./;

describe('the examples of the API document', () => {
  it('all work when they are tried out', async () => {
    const document = (await gateway.get('/openapi.json')).json();
    const paths = Object.entries<{ get?: { operationId: string; parameters: Parameter[]; deprecated?: boolean } }>(
      document.paths,
    ).flatMap(([path, { get }]) =>
      get !== undefined && SERVED.test(get.operationId) && !get.deprecated ? [filledIn(path, get.parameters)] : [],
    );
    expect(paths.length).toBeGreaterThan(20);
    const replies = await Promise.all(paths.map((path) => gateway.get(path)));
    expect(replies.filter((reply) => reply.statusCode !== 200).map((reply) => reply.body)).toEqual([]);
  });
});

function filledIn(path: string, parameters: readonly Parameter[]): string {
  return path.replace(/\{([^}]+)\}/g, (whole, name) => parameters.find((each) => each.name === name)?.example ?? whole);
}
