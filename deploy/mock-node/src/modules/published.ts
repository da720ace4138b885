import type { FileRegistry } from '@bufbuild/protobuf';
import { ledger } from '../data/ledger/ledger.js';
import { Mempool } from '../data/ledger/mempool.js';
import type { PublishedAddresses } from '../data/published-addresses.js';
import { readFixtures } from '../fixtures/fixtures.js';
import type { JsonServices } from '../serving/json-service.js';
import { ibcServices } from './ibc.js';
import { bondsService } from './own/bonds.js';
import { epochServices } from './own/epochs.js';
import { namesService } from './own/names.js';
import { authService } from './sdk/auth.js';
import { bankService } from './sdk/bank.js';
import { distributionService } from './sdk/distribution.js';
import { govServices } from './sdk/gov.js';
import { grantServices } from './sdk/grants.js';
import { stakingService } from './sdk/staking.js';
import { tendermintService } from './sdk/tendermint.js';
import { txService } from './sdk/tx.js';
import { wasmService } from './wasm.js';

/** The modules that are known by their descriptors: those that every chain has, and some of this chain's own. */
export function publishedModules(
  registry: FileRegistry,
  { oracle, gateway }: PublishedAddresses,
  fixtures?: URL,
): JsonServices {
  const state = ledger();
  const mempool = new Mempool();
  return {
    ...authService(state),
    ...bankService(state),
    ...stakingService(state),
    ...distributionService(state),
    ...govServices(state),
    ...grantServices(state),
    ...tendermintService(state, mempool),
    ...txService(registry, mempool),
    ...ibcServices(),
    ...wasmService(state),
    ...bondsService(),
    ...epochServices(),
    ...namesService(),
    ...ownFixtures(registry, { oracle, gateway }),
    ...(fixtures && readFixtures(registry, fixtures)),
  };
}

const read = new WeakMap<FileRegistry, Map<string, JsonServices>>();

/** The fixtures of this package, read once in a process for the same addresses: nodes share what never changes. */
function ownFixtures(registry: FileRegistry, variables: { oracle: string; gateway: string }): JsonServices {
  const known = read.get(registry) ?? new Map<string, JsonServices>();
  read.set(registry, known);
  const key = JSON.stringify(variables);
  const services = known.get(key) ?? readFixtures(registry, undefined, variables);
  known.set(key, services);
  return services;
}
