/** The way such a service is usually written: Fastify, clients of ts-proto over grpc-js, and their `toJSON`. */
import { credentials } from '@grpc/grpc-js';
import { QueryClient as ClaimsClient, QueryClaimListResponse } from '@mlango/proto/ixo/claims/v1beta1/query';
import { QueryClient as EntityClient, QueryEntityResponse } from '@mlango/proto/ixo/entity/v1beta1/query';
import { QueryParamsResponse, QueryClient as TokenClient } from '@mlango/proto/ixo/token/v1beta1/query';
import Fastify from 'fastify';

const target = process.env['GRPC_TARGETS'] ?? '127.0.0.1:9090';
const claims = new ClaimsClient(target, credentials.createInsecure());
const entity = new EntityClient(target, credentials.createInsecure());
const token = new TokenClient(target, credentials.createInsecure());

/** A call of a callback as a promise. */
function ask<T>(call: (done: (error: Error | null, reply: T) => void) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, reply) => (error === null ? resolve(reply) : reject(error)));
  });
}

const app = Fastify();
app.get('/bare', () => ({ params: { ixo1155_contract_code: '25' } }));
app.get('/proto/token/params', async () => QueryParamsResponse.toJSON(await ask((done) => token.params({}, done))));
app.get<{ Params: { id: string } }>('/proto/entity/:id', async ({ params }) =>
  QueryEntityResponse.toJSON(await ask((done) => entity.entity({ id: params.id }, done))),
);
app.get<{ Querystring: Record<string, string> }>('/proto/claims/claims', async ({ query }) => {
  const pagination = {
    key: Buffer.alloc(0),
    offset: query['pagination.offset'] ?? '0',
    limit: query['pagination.limit'] ?? '100',
    count_total: false,
    reverse: false,
  };
  return QueryClaimListResponse.toJSON(await ask((done) => claims.claimList({ pagination }, done)));
});
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
