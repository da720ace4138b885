import type { FileRegistry } from '@bufbuild/protobuf';
import { readFixtures } from '../fixtures/fixtures.js';
import { defaultAddresses, type PublishedAddresses } from '../published-addresses.js';
import type { JsonServices } from '../serving/json-service.js';
import type { JsonQuery } from '../serving/unary.js';
import { blockServices } from './blocks.js';
import { bondsService } from './bonds.js';
import { epochService } from './epochs.js';
import { Mempool } from './mempool.js';
import { txService } from './tx.js';
import { wasmService } from './wasm.js';

/** The dependencies of a node's modules. */
export interface ModuleOptions {
  readonly registry: FileRegistry;
  /** Default 1. */
  readonly earliestHeight?: number;
  readonly published?: PublishedAddresses;
  /** A folder of further fixtures. */
  readonly fixtures?: URL | undefined;
}

/** All queries of the node: those with fixtures, and computed ones. */
export function makeModules({ registry, earliestHeight = 1, published, fixtures }: ModuleOptions): JsonServices {
  const own = ownFixtures(registry, published ?? defaultAddresses);
  const query = (service: string, rpc: string): JsonQuery => {
    const found = own[service]?.[rpc];
    if (found === undefined) throw new Error(`no fixture for ${service}/${rpc}`);
    return found;
  };
  const mempool = new Mempool();
  const validators = query('cosmos.base.tendermint.v1beta1.Service', 'GetLatestValidatorSet');
  const storedValue = query('cosmwasm.wasm.v1.Query', 'RawContractState');
  return merged(
    own,
    blockServices(mempool, earliestHeight, validators),
    txService(registry, mempool),
    bondsService(query('ixo.bonds.v1beta1.Query', 'Bond')),
    epochService(),
    wasmService(storedValue, query('cosmos.bank.v1beta1.Query', 'Balance')),
    fixtures === undefined ? {} : readFixtures(registry, fixtures),
  );
}

const read = new WeakMap<FileRegistry, Map<string, JsonServices>>();

/** The fixtures of this package, read once in a process for the same addresses: nodes share unchanging data. */
function ownFixtures(registry: FileRegistry, { oracle, gateway }: PublishedAddresses): JsonServices {
  const known = read.get(registry) ?? new Map<string, JsonServices>();
  read.set(registry, known);
  const key = `${oracle} ${gateway}`;
  const services = known.get(key) ?? readFixtures(registry, undefined, { oracle, gateway });
  known.set(key, services);
  return services;
}

function merged(...parts: readonly JsonServices[]): JsonServices {
  const services: Record<string, Record<string, JsonQuery>> = {};
  for (const part of parts) {
    for (const [name, queries] of Object.entries(part)) services[name] = { ...services[name], ...queries };
  }
  return services;
}
