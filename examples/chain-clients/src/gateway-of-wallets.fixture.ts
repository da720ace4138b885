import { endPrograms, startBuilt, startNodeProgram } from '@mlango/test-services/program';
import { afterAll, beforeAll } from 'vitest';

/** The chain id of the mock node, and an account with a public test key. */
export const CHAIN_ID = 'mlango-mock-1';
export const MNEMONIC = `${'abandon '.repeat(11)}about`;
export const WALLET = 'ixo19rl4cm2hmr8afy4kldpxz3fka4jguq0ar4n0mx';

/** The built gateway over the mock node, with transactions enabled, for the tests of a file. */
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
