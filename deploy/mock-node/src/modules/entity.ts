import { status } from '@grpc/grpc-js';
import type { Entity } from '@mlango/proto/ixo/entity/v1beta1/entity';
import type { QueryServer } from '@mlango/proto/ixo/entity/v1beta1/query';
import type { IidDocument } from '@mlango/proto/ixo/iid/v1beta1/iid';
import type { ChainState } from '../data/chain.js';
import { CW1155_CONTRACT } from '../data/claims/payments.js';
import { ENTITY_COUNT } from '../data/entities/kinds.js';
import { entityDid } from '../data/identifiers.js';
import { minterAddress } from '../data/tokens/tokens.js';
import { type QueryContext, serveUnary } from '../serving/unary.js';
import { requireTexts, StatusError } from '../status-error.js';

/** `ixo.entity.v1beta1.Query`. An unknown id is NOT_FOUND. */
export function entityModule(context: QueryContext, state: ChainState): QueryServer {
  const example = { id: entityDid(1) };
  return {
    params: serveUnary(context, {
      example: {},
      answer: () => ({
        params: {
          nftContractAddress: CW1155_CONTRACT,
          nftContractMinter: minterAddress(1),
          createSequence: String(ENTITY_COUNT),
        },
      }),
    }),
    entity: serveUnary(context, {
      example,
      answer: ({ id }) => ({ entity: findEntity(state, id), iidDocument: findDocument(state, id) }),
    }),
    entityMetaData: serveUnary(context, {
      example,
      answer: ({ id }) => ({ entity: findEntity(state, id) }),
    }),
    entityIidDocument: serveUnary(context, {
      example,
      answer: ({ id }) => ({ iidDocument: findEntity(state, id) && findDocument(state, id) }),
    }),
    entityVerified: serveUnary(context, {
      example,
      answer: ({ id }) => ({ entity_verified: findEntity(state, id).entity_verified }),
    }),
    entityList: serveUnary(context, {
      example: { pagination: undefined },
      answer: (request) => {
        const { items, pagination } = state.entities.page(request.pagination);
        return { entities: items, pagination };
      },
    }),
  };
}

function findEntity(state: ChainState, id: string): Entity {
  requireTexts(id);
  const entity = state.entities.get(id);
  if (!entity) throw new StatusError(status.NOT_FOUND, 'entity not found');
  return entity;
}

function findDocument(state: ChainState, id: string): IidDocument {
  const document = state.documents.get(id);
  if (!document) throw new StatusError(status.NOT_FOUND, 'did document not found');
  return document;
}
