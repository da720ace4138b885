import type { QueryTokenMetadataResponse } from '@mlango/proto/ixo/token/v1beta1/query';
import type { Token } from '@mlango/proto/ixo/token/v1beta1/token';
import { contentId, entityDid } from '../identifiers.js';
import { tokenId } from './tokens.js';

/** What a token is, under its id. */
export interface TokenMetadata {
  readonly id: string;
  readonly metadata: QueryTokenMetadataResponse;
}

const TOKENS_PER_CONTRACT = 5;

/** The metadata of all tokens of all contracts. */
export function makeTokenMetadata(tokens: readonly Token[]): TokenMetadata[] {
  return tokens.flatMap((token) =>
    Array.from({ length: TOKENS_PER_CONTRACT }, (_, index) => {
      const id = tokenId(token.name, index + 1);
      return { id, metadata: metadataOf(token, id, index + 1) };
    }),
  );
}

function metadataOf(token: Token, id: string, index: number): QueryTokenMetadataResponse {
  const proof = contentId(`token data ${id}`);
  return {
    name: token.name,
    description: token.description,
    decimals: '0',
    image: token.image,
    index: String(index),
    properties: {
      class: token.class,
      collection: entityDid(6),
      cap: token.cap,
      linkedResources: [{ uri: `ipfs:${proof}`, encrypted: index % 2 === 0, proof, type: 'application/json', id }],
    },
  };
}
