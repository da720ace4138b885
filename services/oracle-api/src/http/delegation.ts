import {
  delegationRevoked,
  delegationStatus,
  delegationStored,
  revocationBody,
  revocationRecorded,
  storeDelegationBody,
} from '@mlango/schemas/oracle-delegation';
import { ServiceError } from '@mlango/service-kit/errors';
import { addressKey, type HttpApp, refusedRevocation, tooManyRequests } from '@mlango/service-kit/http-app';
import type { Sender, UcanAuth } from '@mlango/ucan-auth/auth';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyRequest } from 'fastify';
import type { Delegations, StoreResult } from '../identity/delegations.js';
import type { Realtime } from '../sockets/realtime.js';
import { errorReplies, refusedField } from './errors.js';

const tags = ['delegation'];

/** `/delegation`: the delegation of the user to the oracle. */
export function delegationRoutes(app: HttpApp, deps: { readonly delegations: Delegations }): void {
  const { delegations } = deps;
  app.post(
    '/delegation',
    {
      config: { stores: 'delegations' },
      schema: {
        tags,
        operationId: 'storeDelegation',
        summary: 'Store the delegation from the caller to this oracle',
        description:
          'Replaces an earlier delegation. The token is stored encrypted. The other fields of the body must match the token.',
        body: storeDelegationBody,
        response: { 200: delegationStored, ...errorReplies(400, 401, 413, 415) },
      },
    },
    async (request) => {
      const { raw, ...declared } = request.body;
      const stored = await delegations.put(callerOf(request).did, raw, declared, senderOf(request));
      if (!stored.ok) throw refusal(stored);
      return { ok: true as const, expiration: stored.expiration };
    },
  );

  app.get(
    '/delegation',
    {
      schema: {
        tags,
        operationId: 'getDelegation',
        summary: 'Get whether a valid delegation is stored',
        response: { 200: delegationStatus, ...errorReplies(401) },
      },
    },
    async (request) => {
      const held = await delegations.find(callerOf(request).did, senderOf(request));
      if (held.ok) return { authorized: true, expiration: held.expiration };
      if (held.code === 'unavailable') throw new ServiceError('unavailable', 'The delegation cannot be verified now');
      return { authorized: false };
    },
  );

  app.delete(
    '/delegation',
    {
      schema: {
        tags,
        operationId: 'deleteDelegation',
        summary: 'Delete the stored delegation',
        description: 'The oracle no longer uses the delegation. Succeeds also if none is stored.',
        response: { 200: delegationRevoked, ...errorReplies(400, 401, 413, 415) },
      },
    },
    async (request) => {
      await delegations.delete(callerOf(request).did);
      return { ok: true as const };
    },
  );
}

type Refusal = Extract<StoreResult, { ok: false }>;

/** The address charged for key look-ups. */
function senderOf({ ip }: FastifyRequest): Sender {
  return { address: addressKey(ip) };
}

/** Reason for a refused token, if its owner can fix it. */
const reasons: Partial<Record<Refusal['code'], string>> = {
  expired: 'it has expired',
  no_expiry: 'it has no expiry',
  ttl_too_long: 'it expires too far ahead',
  not_yet_valid: 'it is not valid yet',
  wrong_audience: 'it is not addressed to this oracle',
  invocation: 'it is an invocation, not a delegation',
  foreign: 'its issuer is not the caller',
  revoked: 'it has been revoked',
  too_large: 'it is too large',
};

function refusal(refused: Refusal): ServiceError {
  const { code } = refused;
  if (code === 'contradicted') return refusedField('body', refused.field, 'differs from the token');
  if (code === 'rate_limited') return tooManyRequests(refused.retryAfterSeconds ?? 1, 'look_ups');
  if (code === 'unavailable') return new ServiceError('unavailable', 'The delegation cannot be verified now');
  const reason = reasons[code] ?? 'it is not a valid UCAN';
  return refusedField('body', 'raw', `this delegation cannot be used, ${reason}`);
}

export interface RevocationRoutesDeps {
  readonly auth: Pick<UcanAuth, 'revoke'>;
  readonly realtime: Pick<Realtime, 'closeRevoked'>;
}

/** `POST /revocations`: revokes a token with a revocation signed by its issuer or by the issuer of one of its proofs. */
export function revocationRoutes(app: HttpApp, { auth, realtime }: RevocationRoutesDeps): void {
  app.post(
    '/revocations',
    {
      schema: {
        tags: ['delegation'],
        operationId: 'revokeToken',
        summary: 'Revoke a token',
        description:
          'Revokes an invocation or a delegation before it expires, with all tokens derived from it. The revocation must be signed by ' +
          'the issuer of the token or of one of its proofs; any client can send it. Sockets opened with the token are closed. ' +
          'Deleting a stored delegation does not revoke it: other holders can still use it.',
        body: revocationBody,
        response: { 200: revocationRecorded, ...errorReplies(400, 401, 409, 413, 415) },
      },
    },
    async (request) => {
      const revoked = await auth.revoke(request.body.token, { address: addressKey(request.ip) });
      if (revoked.ok) {
        await realtime.closeRevoked(revoked.revoked);
        return { ok: true as const };
      }
      throw refusedRevocation(revoked);
    },
  );
}
