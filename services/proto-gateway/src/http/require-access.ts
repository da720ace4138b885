import { ServiceError } from '@mlango/service-kit/errors';
import { addressKey, type HttpApp, takeOrRefuse, tooManyRequests } from '@mlango/service-kit/http-app';
import type { Metrics } from '@mlango/service-kit/metrics';
import type { Allowance } from '@mlango/service-kit/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { Gate, Refusal } from '../access/gate.js';
import type { ApiKey } from '../access/key-plan.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The rate limit key; null: the address. */
    rateLimitKey: string | null;
    /** The presented key; null without keys, undefined at routes registered before the gate, such as the documentation. */
    apiKey: ApiKey | null | undefined;
    /** Whether the credentials are still valid, for work that continues after admission. */
    isAuthorised: (() => boolean | Promise<boolean>) | null;
  }
}

/** Node states, for operators. It is below the path of the metrics, so that one proxy rule protects both. */
export const NODES_PATH = '/metrics/nodes';

/** Routes without authentication, by their pattern. All others are behind the gate. */
const PUBLIC_ROUTES = new Set([
  '/health',
  '/health/live',
  '/health/ready',
  '/openapi.json',
  '/.well-known/security.txt',
  // These have a token of their own.
  '/metrics',
  NODES_PATH,
]);
const RETRY_AFTER_SECONDS = '2';

/**
 * Puts all routes but the public ones behind a gate. The caller is identified before the rate limit, which counts by caller;
 * refusals are sent after it, so that refused requests are counted by address. The address is counted first, so that many
 * identities give no advantage.
 *
 * @param perAddress allowance of one address for all callers; undefined without rate limits
 */
export function requireAccess(app: HttpApp, gate: Gate, metrics: Metrics, perAddress: Allowance | undefined): void {
  app.decorateRequest('rateLimitKey', null);
  app.decorateRequest('apiKey', null);
  app.decorateRequest('isAuthorised', null);
  const refusals = new WeakMap<FastifyRequest, Refusal>();
  const admissions = metrics.counter({
    name: 'proto_gateway_admissions_total',
    help: 'Requests behind the gate, by outcome.',
    labelNames: ['outcome'],
  });
  app.addHook('onRequest', async (request) => {
    if (isPublic(request)) return;
    const address = addressKey(request.ip);
    if (perAddress !== undefined) await takeOrRefuse(perAddress, address);
    const admission = await gate.admit(request.headers, address);
    admissions.inc({ outcome: admission.ok ? 'admitted' : admission.refusal.reason });
    if (admission.ok) {
      request.rateLimitKey = admission.rateLimitKey ?? null;
      request.apiKey = admission.key ?? null;
      request.isAuthorised = admission.isAuthorised;
    } else refusals.set(request, admission.refusal);
  });
  app.addHook('preParsing', async (request) => {
    const refusal = refusals.get(request);
    if (refusal === undefined) return;
    request.log.info({ reason: refusal.reason }, 'access refused');
    if (refusal.code === 'rate_limited') throw tooManyRequests(refusal.retryAfterSeconds ?? 1, 'look_ups');
    throw new ServiceError(refusal.code, refusal.message, { headers: headersOf(refusal, gate) });
  });
}

function isPublic(request: FastifyRequest): boolean {
  const { url } = request.routeOptions;
  return url !== undefined && (PUBLIC_ROUTES.has(url) || url === '/docs' || url.startsWith('/docs/'));
}

function headersOf(refusal: Refusal, gate: Gate): Record<string, string> {
  if (refusal.code === 'unauthenticated') return { 'www-authenticate': gate.challenge };
  return refusal.code === 'unavailable' ? { 'retry-after': RETRY_AFTER_SECONDS } : {};
}
