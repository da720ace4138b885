import type { FileRegistry } from '@bufbuild/protobuf';
import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { ServiceService as NodeService } from '@mlango/proto/cosmos/base/node/v1beta1/query';
import type { PublishedAddresses } from '../data/published-addresses.js';
import { jsonServices } from '../serving/json-service.js';
import type { QueryContext } from '../serving/unary.js';
import { nodeModule } from './node.js';
import { publishedModules } from './published.js';

export type ServedModule = readonly [ServiceDefinition, UntypedServiceImplementation];

/** All services of queries, each with what answers them. */
export function servedModules(
  context: QueryContext,
  published: PublishedAddresses,
  registry: FileRegistry,
  fixtures?: URL,
): ServedModule[] {
  return [
    [NodeService, nodeModule(context)],
    ...jsonServices(context, registry, publishedModules(registry, published, fixtures)),
  ];
}
