import { endPrograms, startBuilt, startNodeProgram } from '@mlango/test-services/program';
import { afterAll, beforeAll } from 'vitest';

/** What the mock node's chain is called, and an account of it that anybody can sign for. */
export const CHAIN_ID = 'mlango-mock-1';
export const MNEMONIC = `${'abandon '.repeat(11)}about`;
export const WALLET = 'ixo19rl4cm2hmr8afy4kldpxz3fka4jguq0ar4n0mx';

/** The gateway as it is built, over the mock node, letting transactions through, while the tests of a file run. */
export function gatewayOfWallets(): { readonly url: () => string } {
  let url = '';
  beforeAll(async () => {
    const node = await startNodeProgram();
    const env = { PORT: '0', GRPC_TARGETS: node.address, PROTO_ALLOW_TX: 'simulate,broadcast' };
    url = (await startBuilt('services/proto-gateway/dist/main.js', env)).address;
  }, 90_000);
  afterAll(endPrograms);
  return { url: () => url };
}
