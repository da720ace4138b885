import { QueryClaimListRequest } from '@mlango/proto/ixo/claims/v1beta1/query';
import { QueryEntityRequest } from '@mlango/proto/ixo/entity/v1beta1/query';
import { QueryParamsRequest } from '@mlango/proto/ixo/token/v1beta1/query';

/** A request as autocannon sends it. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** One query in each way the gateway is spoken to. `one` numbers a caller: each asks for something else. */
export interface Query {
  readonly name: string;
  /** How many times a round asks. */
  readonly amount: number;
  readonly rest: (one: number) => LoadRequest;
  readonly connectProto: (one: number) => LoadRequest;
  readonly connectJson: (one: number) => LoadRequest;
  readonly grpcWeb: (one: number) => LoadRequest;
}

export const QUERIES: readonly [params: Query, entity: Query, claims: Query] = [
  query('params', 10_000, {
    path: (one) => `/proto/token/params?height=${one + 1}`,
    rpc: '/ixo.token.v1beta1.Query/Params',
    message: () => QueryParamsRequest.encode({}).finish(),
    json: () => ({}),
    headers: (one) => ({ 'x-cosmos-block-height': String(one + 1) }),
  }),
  query('entity', 5000, {
    path: (one) => `/proto/entity/${entityOf(one)}`,
    rpc: '/ixo.entity.v1beta1.Query/Entity',
    message: (one) => QueryEntityRequest.encode({ id: entityOf(one) }).finish(),
    json: (one) => ({ id: entityOf(one) }),
  }),
  query('100 claims', 1000, {
    path: (one) => `/proto/claims/claims?pagination.limit=100&pagination.offset=${one}`,
    rpc: '/ixo.claims.v1beta1.Query/ClaimList',
    message: (one) => QueryClaimListRequest.encode({ pagination: pageFrom(one) }).finish(),
    json: (one) => ({ pagination: { limit: '100', offset: String(one) } }),
  }),
];

function query(
  name: string,
  amount: number,
  of: {
    readonly path: (one: number) => string;
    readonly rpc: string;
    readonly message: (one: number) => Uint8Array;
    readonly json: (one: number) => object;
    readonly headers?: (one: number) => Record<string, string>;
  },
): Query {
  const post = (type: string, one: number, body: string | Buffer): LoadRequest => ({
    method: 'POST',
    path: of.rpc,
    headers: { 'content-type': type, ...of.headers?.(one) },
    body,
  });
  return {
    name,
    amount,
    rest: (one) => ({ method: 'GET', path: of.path(one) }),
    connectProto: (one) => post('application/proto', one, Buffer.from(of.message(one))),
    connectJson: (one) => post('application/json', one, JSON.stringify(of.json(one))),
    grpcWeb: (one) => post('application/grpc-web+proto', one, framed(of.message(one))),
  };
}

/** A message with the five bytes gRPC puts before it. */
function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function entityOf(one: number): string {
  return `did:ixo:entity:e${String(one + 1).padStart(4, '0')}`;
}

function pageFrom(one: number) {
  return { key: Buffer.alloc(0), offset: String(one), limit: '100', count_total: false, reverse: false };
}
