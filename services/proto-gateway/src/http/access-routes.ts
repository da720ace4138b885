import { type GatewayUsage, gatewayRevocation, gatewayUsage } from '@mlango/schemas/proto-gateway';
import { ServiceError } from '@mlango/service-kit/errors';
import {
  addressKey,
  type HttpApp,
  refusedRevocation,
  tooManyRequests,
  whenReplyClosed,
} from '@mlango/service-kit/http-app';
import type { Metrics } from '@mlango/service-kit/metrics';
import type { UcanAuth } from '@mlango/ucan-auth/auth';
import type { KeyUsage, KeyWindow } from '../access/key-usage.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Byte accounting of endless replies, which are counted as they are sent. Null without keys. */
    keyBytes: { count(): void; isUsedUp(): boolean } | null;
  }
}

/**
 * Counts the usage of keys, refuses keys without bytes left in their minute, and serves `GET /usage`. The size of a reply is
 * known at its end, so the reply that exceeds the limit is sent whole.
 *
 * @param max requests per minute, for plans without a limit; undefined without limits
 */
export function keyUsageRoutes(app: HttpApp, usage: KeyUsage, metrics: Metrics, max: number | undefined): void {
  const requests = metrics.counter({
    name: 'proto_gateway_key_requests_total',
    help: 'Requests by API key.',
    labelNames: ['key'],
  });
  const bytes = metrics.counter({
    name: 'proto_gateway_key_reply_bytes_total',
    help: 'Bytes of replies by API key.',
    labelNames: ['key'],
  });
  app.decorateRequest('keyBytes', null);
  app.addHook('preParsing', async (request, reply) => {
    const { apiKey } = request;
    if (apiKey === null || apiKey === undefined) return;
    requests.inc({ key: apiKey.name });
    const { socket } = request.raw;
    let before = written(socket);
    const count = (): void => {
      const sent = written(socket) - before;
      before += sent;
      if (sent === 0) return;
      bytes.inc({ key: apiKey.name }, sent);
      void usage.addBytes(apiKey.name, sent);
    };
    whenReplyClosed(reply.raw, count);
    const most = apiKey.plan?.bytesPerMinute ?? Number.POSITIVE_INFINITY;
    request.keyBytes = { count, isUsedUp: () => usage.bytes(apiKey.name).used >= most };
    if (request.keyBytes.isUsedUp())
      throw tooManyRequests(Math.ceil(usage.bytes(apiKey.name).resetMs / 1000), 'key_bytes');
  });
  app.get(
    '/usage',
    { schema: { hide: true, response: { 200: gatewayUsage } } },
    async (request): Promise<GatewayUsage> => {
      const { apiKey } = request;
      if (apiKey === null || apiKey === undefined) throw new ServiceError('unauthenticated', 'An API key is required');
      const { plan = {} } = apiKey;
      const requestWindow = usage.requests(apiKey.name);
      return {
        key: apiKey.name,
        requests: printStanding(requestWindow, plan.requestsPerMinute ?? max),
        bytes: printStanding(usage.bytes(apiKey.name), plan.bytesPerMinute),
        page_limit: plan.pageLimit ?? null,
        methods: plan.methods === undefined ? null : [...plan.methods],
        heights: plan.heights?.text ?? null,
        expires: plan.expiresAtMs === undefined ? null : new Date(plan.expiresAtMs).toISOString(),
      };
    },
  );
}

/** Sockets of injected requests count nothing. */
function written(socket: { readonly bytesWritten?: number }): number {
  return socket.bytesWritten ?? 0;
}

function printStanding({ used, resetMs }: KeyWindow, limit: number | undefined): GatewayUsage['requests'] {
  return { used, limit: limit ?? null, reset_seconds: Math.ceil(resetMs / 1000) };
}

/** `POST /revocations`: revokes a token, by a revocation token of its issuer or of an issuer in its proof chain. */
export function revocationRoute(app: HttpApp, auth: Pick<UcanAuth, 'revoke'>): void {
  app.post('/revocations', { schema: { hide: true, body: gatewayRevocation } }, async (request, reply) => {
    const revoked = await auth.revoke(request.body.token, { address: addressKey(request.ip) });
    if (!revoked.ok) throw refusedRevocation(revoked);
    return reply.code(204).send();
  });
}
