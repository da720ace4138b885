import type { FileRegistry } from '@bufbuild/protobuf';
import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { ServiceService as NodeService } from '@mlango/proto/cosmos/base/node/v1beta1/query';
import { QueryService as ClaimsService } from '@mlango/proto/ixo/claims/v1beta1/query';
import { QueryService as EntityService } from '@mlango/proto/ixo/entity/v1beta1/query';
import { QueryService as IidService } from '@mlango/proto/ixo/iid/v1beta1/query';
import { QueryService as TokenService } from '@mlango/proto/ixo/token/v1beta1/query';
import type { ChainState } from '../data/chain.js';
import { jsonServices } from '../serving/json-service.js';
import type { QueryContext } from '../serving/unary.js';
import { claimsModule } from './claims/module.js';
import { entityModule } from './entity.js';
import { iidModule } from './iid.js';
import { nodeModule } from './node.js';
import { publishedModules } from './published.js';
import { tokenModule } from './token.js';

export type ServedModule = readonly [ServiceDefinition, UntypedServiceImplementation];

/** All services of queries, each with what answers them. */
export function servedModules(
  context: QueryContext,
  state: ChainState,
  registry: FileRegistry,
  fixtures?: URL,
): ServedModule[] {
  return [
    [EntityService, entityModule(context, state)],
    [IidService, iidModule(context, state)],
    [ClaimsService, claimsModule(context, state)],
    [TokenService, tokenModule(context, state)],
    [NodeService, nodeModule(context)],
    ...jsonServices(context, registry, publishedModules(registry, fixtures)),
  ];
}
